// An experiment that goes on: how many runs have ended, how its search comes on, its
// table so far; and, at the end, what it found.
import { useEffect, useRef, useState } from "react";
import { getJson } from "../api/client";
import type { Experiment } from "../api/types";
import { SmallPlot } from "../plot/small_plot";
import { isGoing, runs, stopRun } from "../runs/live";
import { openTab } from "../state/layout";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";
import { ExperimentTable } from "./experiment_table";
import { Findings } from "./findings";
import { progress, progressOf } from "./progress";

/** What is stored of an experiment: its request at first, its results at its end. */
function useStored(experiment: number | null, is_going: boolean): Experiment | null {
  const [found, setFound] = useState<Experiment | null>(null);
  useEffect(() => {
    if (experiment === null) return undefined;
    let left = false;
    getJson<Experiment>(`/api/experiments/${experiment}`).then((answer) => {
      if (!left) setFound(answer);
    }).catch(() => undefined);
    return () => {
      left = true;
    };
  }, [experiment, is_going]);
  return found;
}

/** The least value so far at each place: several searches begin anew. */
function leastSoFar(values: number[]): number[] {
  let least = Infinity;
  return values.map((value) => (least = Math.min(least, value)));
}

/** Whether a scale of powers of ten suits some values. */
function spansDecade(values: number[]): boolean {
  const least = Math.min(...values);
  return least > 0 && Math.max(...values) >= 10 * least;
}

function BestSoFar({ run, fits }: { run: number; fits: boolean }) {
  const { evaluated, best: told } = useStore(progress, (value) => progressOf(value, run));
  // A single point shows no way down.
  if (told.length < 2) return null;
  const best = fits ? leastSoFar(told) : told;
  return (
    <div className="best-so-far">
      <SmallPlot label="The best value so far" xLabel="evaluations" height={150}
        yLabel={fits ? "cost of the residuals, least so far" : "best so far"}
        logY={spansDecade(best)}
        series={[{ name: "best", x: evaluated, y: best }]} />
    </div>
  );
}

/** No count of runs: a table is read once more when all have ended. */
const all_ended = -1;

/** How many runs or evaluations there were at the end. */
function endOf(stored: Experiment | null): string {
  if (!stored) return "";
  const evaluations = stored.results?.["evaluations"];
  if (typeof evaluations === "number") return `: ${evaluations} evaluations`;
  const { completed, failed } = stored.runs;
  if (completed + failed < 2) return "";
  return `: ${completed} runs${failed > 0 ? `, ${failed} failed` : ""}`;
}

/** @param run of the page that carries the experiment out. */
export function LiveTable({ run }: { run: number }) {
  const known = useStore(runs, (r) => r.list.find((other) => other.id === run));
  const counts = useStore(progress, (value) => progressOf(value, run));
  const going = isGoing(known);
  const stored = useStored(known?.experiment ?? null, going);
  const place = useRef<HTMLElement>(null);
  // The form is long: what it has started would be out of sight.
  useEffect(() => {
    place.current?.scrollIntoView();
  }, [run]);
  if (!known) return null;
  const id = known.experiment;
  return (
    <section className="live-table" ref={place} aria-label="Progress of the experiment">
      <div className={`bar ${known.state === "failed" ? "bad" : "info"}`}>
        <span>{going ? known.phase || known.state : known.state + endOf(stored)}
          {going && counts.failed > 0 && `, ${counts.failed} failed`}</span>
        {known.message && <span>{known.message}</span>}
        <span className="grow" />
        {going && <Button icon="stop" kind="danger" onClick={() => void stopRun(run)}>Stop</Button>}
        {!going && (
          <Button onClick={() => place.current?.parentElement?.scrollTo({ top: 0 })}>
            Change the form</Button>
        )}
        {!going && id !== null && (
          <Button onClick={() => openTab({ kind: "experiment", id })}>
            Open experiment {id}</Button>
        )}
      </div>
      <BestSoFar run={run} fits={known.argv.includes("calibrate")} />
      {!going && stored && <Findings experiment={stored} />}
      {id !== null && (
        <ExperimentTable id={id} version={going ? counts.ended : all_ended}
          experiment={stored?.id === id ? stored : null} />
      )}
    </section>
  );
}
