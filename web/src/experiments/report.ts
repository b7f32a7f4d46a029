// One HTML file with what is chosen, made by the server.
import { ask } from "../api/client";
import { plots } from "../plot/plots";
import { notify, notifyError } from "../state/notices";

export async function saveReport(experiments: number[]): Promise<void> {
  try {
    const answer = await ask("/api/report", {
      method: "POST",
      json: {
        experiments,
        plots: plots.get().tiles.filter((t) => t.signals.length > 0)
          .map(({ signals, x }) => ({ signals, x })),
        notes: "",
      },
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `report_${experiments.join("_")}.html`;
    link.click();
    URL.revokeObjectURL(link.href);
    notify("good", "The report was written to the folder of downloads");
  } catch (reason) {
    notifyError("write the report", reason);
  }
}
