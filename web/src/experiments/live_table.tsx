// An experiment that goes on: how many runs have ended, and its table so far.
import { useEffect, useState } from "react";
import { onNews } from "../api/events";
import { isGoing, runs, stopRun } from "../runs/live";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";
import { ExperimentTable } from "./experiment_table";

interface LiveTableProps {
  /** The run of the page that carries it out. */
  run: number;
  onEnded: (experiment: number) => void;
}

export function LiveTable({ run, onEnded }: LiveTableProps) {
  const known = useStore(runs, (r) => r.list.find((other) => other.id === run));
  const [counts, setCounts] = useState({ ended: 0, failed: 0 });
  useEffect(() => onNews("table", (news) => {
    if (news.id === run) setCounts({ ended: news.ended, failed: news.failed });
  }), [run]);
  if (!known) return null;
  const going = isGoing(known);
  return (
    <section className="live-table" aria-label="Progress of the experiment">
      <div className="bar info">
        <span>{going ? known.phase || known.state : known.state}
          {counts.ended > 0 && `: ${counts.ended} runs ended`}
          {counts.failed > 0 && `, ${counts.failed} failed`}</span>
        {known.message && <span>{known.message}</span>}
        <span className="grow" />
        {going && <Button icon="stop" kind="danger" onClick={() => void stopRun(run)}>Stop</Button>}
        {!going && known.experiment !== null && (
          <Button onClick={() => onEnded(known.experiment ?? 0)}>
            Open experiment {known.experiment}</Button>
        )}
      </div>
      {known.experiment !== null && (
        <ExperimentTable id={known.experiment} version={counts.ended} />
      )}
    </section>
  );
}
