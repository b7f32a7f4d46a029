// A stored experiment: what it was, what it found, its runs.
import { useEffect, useState } from "react";
import { getJson, sendJson } from "../api/client";
import { onNews, onStored } from "../api/events";
import type { Experiment } from "../api/types";
import { runs, start } from "../runs/live";
import { notifyError } from "../state/notices";
import { Button } from "../ui/controls";
import { ExperimentTable } from "./experiment_table";
import { Findings } from "./findings";
import { saveReport } from "./report";

function Notes({ experiment }: { experiment: Experiment }) {
  const [notes, setNotes] = useState(experiment.notes ?? "");
  const [tags, setTags] = useState(experiment.tags.join(" "));
  const save = () => {
    sendJson("PATCH", `/api/experiments/${experiment.id}`, {
      notes, tags: tags.split(/\s+/).filter(Boolean),
    }).catch((reason: unknown) => notifyError("keep the note", reason));
  };
  return (
    <div className="notes">
      <input value={tags} placeholder="tags" aria-label="Tags" onBlur={save}
        onChange={(event) => setTags(event.target.value)} />
      <input className="wide" value={notes} placeholder="a note" aria-label="Note"
        onBlur={save} onChange={(event) => setNotes(event.target.value)} />
    </div>
  );
}

export default function ExperimentPane({ id }: { id: number }) {
  const [experiment, setExperiment] = useState<Experiment | null>(null);
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const load = () => {
      getJson<Experiment>(`/api/experiments/${id}`).then(setExperiment)
        .catch((reason: unknown) => notifyError(`read experiment ${id}`, reason));
      setVersion((n) => n + 1);
    };
    load();
    const undo = [
      onStored((changed) => {
        if (changed === null || changed === id) load();
      }),
      // Runs of it that are carried out again.
      onNews("table", (news) => {
        const run = runs.get().list.find((r) => r.id === news.id);
        if (run?.experiment === id) setVersion((n) => n + 1);
      }),
    ];
    return () => undo.forEach((end) => end());
  }, [id]);
  if (!experiment) return <p className="loading">Reading experiment {id}…</p>;
  const { runs: counts } = experiment;
  const incomplete = counts.completed < counts.asked;
  return (
    <div className="experiment-pane">
      <header>
        <h1>{experiment.type} of {experiment.model}</h1>
        <span className="soft">
          {counts.asked > 0 ? `${counts.completed} of ${counts.asked} runs`
            : `${counts.completed} runs`}
          {counts.failed > 0 && `, ${counts.failed} failed`} · {experiment.created}
        </span>
        <span className="grow" />
        {incomplete && (
          <Button icon="run" onClick={() => void start({
            command: "resume", file: "", options: { experiment: String(id) },
          })}>Resume</Button>
        )}
        <Button icon="report" onClick={() => void saveReport([id])}>Report</Button>
      </header>
      {experiment.message && (
        <div className="bar bad"><span>{experiment.message}</span></div>
      )}
      <Notes key={id} experiment={experiment} />
      <Findings experiment={experiment} />
      <ExperimentTable id={id} version={version} experiment={experiment} />
    </div>
  );
}
