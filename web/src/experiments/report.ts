// One HTML file with what is chosen: the server writes it, the page puts its plots in.
import { ask } from "../api/client";
import { curvesOfTile } from "../plot/curve_data";
import { drawSvg, saveAs } from "../plot/export";
import { plots } from "../plot/plots";
import { notify, notifyError } from "../state/notices";

/** Pixels of a picture in a report, which nobody zooms. */
const picture_width = 800;

/** A report with the plots of the page that show its experiments, as pictures. */
async function withPlots(report: string, experiments: number[]): Promise<string> {
  const pictures = await Promise.all(plots.get().tiles.map(async (tile) => {
    const curves = await curvesOfTile(tile, experiments, picture_width);
    if (curves.length === 0) return "";
    const title = tile.signals.join(", ") + (tile.x === null ? "" : ` over ${tile.x}`);
    return `<figure>${drawSvg(curves, title, tile.log)}</figure>\n`;
  }));
  const at = report.lastIndexOf("</body>");
  if (pictures.every((text) => text === "") || at < 0) return report;
  return `${report.slice(0, at)}<h2>Plots of the studio</h2>\n${pictures.join("")}`
    + report.slice(at);
}

/** @param notes what is written above all. */
export async function saveReport(experiments: number[], notes = ""): Promise<void> {
  try {
    const answer = await ask("/api/report", {
      method: "POST",
      json: {
        experiments, notes,
      },
    });
    const report = await withPlots(await answer.text(), experiments);
    saveAs(`report_${experiments.join("_")}.html`, new Blob([report], { type: "text/html" }));
    notify("good", "The report was written to the folder of downloads");
  } catch (reason) {
    notifyError("write the report", reason);
  }
}
