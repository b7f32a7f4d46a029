// The sidebar of experiments: a new one, and all that are stored.
import { useEffect, useMemo, useState } from "react";
import { getJson, sendJson } from "../api/client";
import { onStored } from "../api/events";
import type { Experiment } from "../api/types";
import { chooseFirstStored } from "../plot/curve_data";
import { showStored } from "../plot/plots";
import { settingsOf } from "../results/runs_list";
import { focus } from "../state/focus";
import { openTab } from "../state/layout";
import { notifyError } from "../state/notices";
import { useStore } from "../state/store";
import { Button, Empty, IconButton } from "../ui/controls";
import { openDesign } from "./designs";
import { saveReport } from "./report";

const most_compared = 20;

function useExperiments(): Experiment[] {
  const [list, setList] = useState<Experiment[]>([]);
  useEffect(() => {
    let wait: ReturnType<typeof setTimeout>;
    const load = () => {
      getJson<{ experiments: Experiment[] }>("/api/experiments", { limit: 200 })
        .then(({ experiments }) => setList(experiments))
        .catch((reason: unknown) => notifyError("list the experiments", reason));
    };
    load();
    const undo = onStored(() => {
      clearTimeout(wait);
      wait = setTimeout(load, 100);
    });
    return () => {
      undo();
      clearTimeout(wait);
    };
  }, []);
  return list;
}

async function open(experiment: Experiment): Promise<void> {
  if (experiment.type !== "simulate") {
    openTab({ kind: "experiment", id: experiment.id });
    return;
  }
  const whole = await getJson<Experiment>(`/api/experiments/${experiment.id}`)
    .catch(() => experiment);
  const { id, model } = experiment;
  showStored({ id, model, set: settingsOf(whole) });
  await chooseFirstStored(model, id).catch(() => undefined);
}

export function ExperimentList() {
  const list = useExperiments();
  const path = useStore(focus, (f) => f.path);
  const [marked, setMarked] = useState<number[]>([]);
  const [query, setQuery] = useState("");
  const [note, setNote] = useState("");
  const shown = useMemo(() => list.filter((e) => `${e.id} ${e.model} ${e.type} ${e.tags.join(" ")}`
    .toLowerCase().includes(query.toLowerCase())), [list, query]);
  const remove = async () => {
    for (const id of marked) {
      await sendJson("DELETE", `/api/experiments/${id}`, undefined)
        .catch((reason: unknown) => notifyError(`delete experiment ${id}`, reason));
    }
    setMarked([]);
  };
  return (
    <div className="experiments">
      <div className="experiments-head">
        <Button icon="plus" kind="primary" disabled={!path}
          title={path ? "Vary, fit or optimise this model" : "Open a model first"}
          onClick={() => openDesign(path)}>New experiment</Button>
        <span className="grow" />
        <IconButton icon="compare" label="Compare the marked experiments"
          disabled={marked.length < 2 || marked.length > most_compared}
          onClick={() => openTab({ kind: "compare", ids: [...marked].sort((a, b) => a - b) })} />
        <IconButton icon="report" label="Write a report of the marked experiments"
          disabled={marked.length === 0} onClick={() => void saveReport(marked, note)} />
        <IconButton icon="trash" label="Delete the marked experiments"
          disabled={marked.length === 0} onClick={() => void remove()} />
      </div>
      {list.length === 0 ? (
        <Empty icon="experiments" title="Nothing is stored yet">
          <p>Each run is kept here. Press <kbd>F5</kbd>, or design an experiment that
            varies parameters.</p>
        </Empty>
      ) : (
        <>
          <div className="search">
            <input type="search" value={query} placeholder="Filter by model, kind or tag"
              aria-label="Filter the experiments"
              onChange={(event) => setQuery(event.target.value)} />
          </div>
          {marked.length > 0 && (
            <div className="search">
              <input value={note} placeholder={`A note for a report of ${marked.join(", ")}`}
                aria-label="Note for the report"
                onChange={(event) => setNote(event.target.value)} />
            </div>
          )}
          <ul className="experiment-list">
            {shown.map((experiment) => (
              <li key={experiment.id}>
                <input type="checkbox" aria-label={`Mark experiment ${experiment.id}`}
                  checked={marked.includes(experiment.id)}
                  onChange={(event) => setMarked(event.target.checked
                    ? [...marked, experiment.id]
                    : marked.filter((id) => id !== experiment.id))} />
                <button type="button" onClick={() => void open(experiment)}>
                  <span className="experiment-title">
                    <span className="number">{experiment.id}</span> {experiment.model}
                  </span>
                  <span className="soft">
                    {experiment.type}
                    {experiment.runs.asked > 1 && `, ${experiment.runs.asked} runs`}
                    {experiment.runs.failed > 0 && `, ${experiment.runs.failed} failed`}
                    {experiment.status !== "completed" && `, ${experiment.status}`}
                    {" · "}{experiment.created.slice(5)}
                  </span>
                  {experiment.tags.length > 0 && (
                    <span>{experiment.tags.map((tag) =>
                      <span key={tag} className="badge">{tag}</span>)}</span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
