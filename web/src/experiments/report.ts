// One HTML file with what is chosen, made by the server.
import { ask } from "../api/client";
import { saveAs } from "../plot/export";
import { plots } from "../plot/plots";
import { notify, notifyError } from "../state/notices";

/** @param notes what is written above all. */
export async function saveReport(experiments: number[], notes = ""): Promise<void> {
  try {
    const answer = await ask("/api/report", {
      method: "POST",
      json: {
        experiments,
        plots: plots.get().tiles.filter((t) => t.signals.length > 0)
          .map(({ signals, x }) => ({ signals, x })),
        notes,
      },
    });
    saveAs(`report_${experiments.join("_")}.html`, await answer.blob());
    notify("good", "The report was written to the folder of downloads");
  } catch (reason) {
    notifyError("write the report", reason);
  }
}
