// A run of an experiment as a run of its own: tables keep measures, not curves, so
// the model runs again with what was varied, to the same result.
import { getJson } from "../api/client";
import type { Experiment, RunRow } from "../api/types";
import { showRunBeside } from "../plot/plots";
import { start } from "../runs/live";
import { notify, notifyError } from "../state/notices";
import { pathOf } from "../state/session";

export async function openRun(
  id: number, row: RunRow, varied: Record<string, string>,
): Promise<void> {
  const found = await getJson<Experiment>(`/api/experiments/${id}`)
    .catch((reason: unknown) => notifyError(`open run ${row.run + 1}`, reason));
  if (!found) return;
  const { file, class: name } = found.document ?? {};
  if (typeof file !== "string") {
    notify("info", `Experiment ${id} does not say from which file it ran`);
    return;
  }
  const started = await start({
    command: "run", file: pathOf(file),
    ...(typeof name === "string" ? { class: name } : {}),
    options: { from: `${id}.${row.run + 1}` },
  });
  if (started !== null) showRunBeside({ id: started, model: found.model, set: varied });
}
