// The stored run of what the plots show, once there is one.
import { plots } from "../plot/plots";
import type { Source } from "../plot/plots";
import { isGoing, runs } from "../runs/live";
import type { Run } from "../runs/live";
import { useStore } from "../state/store";

/** The stored experiment of a source, once its run has ended. */
export function storedId(source: Source, list: Run[]): number | null {
  if (source.experiment !== null) return source.experiment;
  const run = list.find((r) => r.id === source.live);
  return run && !isGoing(run) ? run.experiment : null;
}

/** The path of the newest run that is shown and stored, as "41/1"; else "". */
export function useStoredRun(): string {
  const source = useStore(plots, (p): Source | undefined =>
    p.sources[p.sources.length - 1]);
  return useStore(runs, ({ list }) => {
    const experiment = source ? storedId(source, list) : null;
    return source && experiment !== null ? `${experiment}/${source.run}` : "";
  });
}
