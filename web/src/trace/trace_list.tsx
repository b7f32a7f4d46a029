// The sidebar of traces: runs that kept one, files that hold one, and a new run.
import { useEffect, useState } from "react";
import { getJson } from "../api/client";
import { onNews } from "../api/events";
import type { Experiment, FileItem } from "../api/types";
import { allFiles } from "../library/all_files";
import { FileList } from "../library/file_list";
import { isGoing, runs, start } from "../runs/live";
import { openTab } from "../state/layout";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";
import { Icon } from "../ui/icon";

/** The attachment that an experiment with a trace has. */
const trace_index = "trace.index.json";

function openTrace(id: number, model: string): void {
  openTab({ kind: "trace", path: `${model} ${id}`, id });
}

/** Runs a model and keeps its trace, which is then shown. */
function NewTrace() {
  const [models, setModels] = useState<FileItem[]>([]);
  const [model, setModel] = useState("");
  const [stop, setStop] = useState("");
  const [started, setStarted] = useState<number | null>(null);
  const run = useStore(runs, (r) => r.list.find((known) => known.id === started));
  useEffect(() => {
    allFiles().then((files) => setModels(files.filter((f) => f.path.endsWith(".so"))))
      .catch(() => undefined);
  }, []);
  const chosen = model || (models[0]?.path ?? "");
  const goes = isGoing(run);
  useEffect(() => {
    if (!run || isGoing(run)) return;
    setStarted(null);
    if (run.experiment !== null) openTrace(run.experiment, chosen);
  }, [run, chosen]);
  if (models.length === 0) {
    return (
      <p className="side-note">A trace is of a DEVS model in C++, built as a file that ends
        in <code>.so</code>. There is none in this folder.</p>
    );
  }
  const begin = async () => {
    const options: Record<string, string> = { "keep-trace": "true" };
    if (stop) options["stop"] = stop;
    setStarted(await start({ command: "run", file: chosen, options }));
  };
  return (
    <form className="new-trace" onSubmit={(event) => {
      event.preventDefault();
      void begin();
    }}>
      <label>model
        <select value={chosen} onChange={(event) => setModel(event.target.value)}>
          {models.map((m) => <option key={m.path}>{m.path}</option>)}
        </select>
      </label>
      <label>stop
        <input value={stop} placeholder="the model's own, as 1 h"
          onChange={(event) => setStop(event.target.value)} />
      </label>
      <Button submit kind="primary" icon="run" disabled={goes}>
        {goes ? "Tracing…" : "Run with trace"}</Button>
    </form>
  );
}

function StoredTraces() {
  const [list, setList] = useState<Experiment[]>([]);
  useEffect(() => {
    const load = () => {
      getJson<{ experiments: Experiment[] }>("/api/experiments",
        { attachment: trace_index, limit: 100 })
        .then(({ experiments }) => setList(experiments)).catch(() => undefined);
    };
    load();
    return onNews("store", load);
  }, []);
  if (list.length === 0) return null;
  return (
    <ul className="stored-traces" aria-label="Runs with a trace">
      {list.map(({ id, model, created }) => (
        <li key={id}>
          <button type="button" className="tree-row" title={`${model}, ${created}`}
            onClick={() => openTrace(id, model)}>
            <Icon name="trace" size={14} /><span className="tree-name">{model}</span>
            <span className="number">{id}</span>
            <span className="soft">{created.slice(5)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function TraceList() {
  return (
    <>
      <NewTrace />
      <StoredTraces />
      <FileList ending=".csv" kind="trace">
        <p className="side-note">A file that <code>orrery run MODEL --trace trace.csv</code>
          {" "}wrote is listed here, too.</p>
      </FileList>
    </>
  );
}
