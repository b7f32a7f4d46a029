// The stored run whose events and equations are shown: the last one of the plots.
import { plots } from "../plot/plots";
import type { Source } from "../plot/plots";
import { isGoing, runs } from "../runs/live";
import { useStore } from "../state/store";

/** The path of the newest run that is shown and stored, as "41/1"; else "". */
export function useStoredRun(): string {
  const source = useStore(plots, (p): Source | undefined =>
    p.sources[p.sources.length - 1]);
  return useStore(runs, ({ list }) => {
    if (!source) return "";
    if (source.experiment !== null) return `${source.experiment}/${source.run}`;
    const run = list.find((r) => r.id === source.live);
    return run && !isGoing(run) && run.experiment !== null
      ? `${run.experiment}/${source.run}` : "";
  });
}
