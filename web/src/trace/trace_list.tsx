// The sidebar of traces: DEVS models to run with a trace, and stored runs.
import { useEffect, useState } from "react";
import { getJson } from "../api/client";
import { onNews } from "../api/events";
import type { Experiment, FileItem } from "../api/types";
import { allFiles } from "../library/all_files";
import { start } from "../runs/live";
import { openTab } from "../state/layout";
import { Empty, IconButton } from "../ui/controls";
import { Icon } from "../ui/icon";

export function TraceList() {
  const [models, setModels] = useState<FileItem[]>([]);
  const [stored, setStored] = useState<Experiment[]>([]);
  useEffect(() => {
    void allFiles().then((all) => setModels(all.filter((f) => f.path.endsWith(".so"))))
      .catch(() => undefined);
    const load = () => {
      getJson<{ experiments: Experiment[] }>("/api/experiments", { limit: 50 })
        .then(({ experiments }) => setStored(experiments.filter((e) =>
          e.type === "devs" || e.type === "simulate")))
        .catch(() => undefined);
    };
    load();
    return onNews("store", load);
  }, []);
  if (models.length === 0 && stored.length === 0) {
    return (
      <Empty icon="trace" title="There is no DEVS model in this folder">
        <p>Compile a class into a library (<code>.so</code>); it can then be run with a
          trace of its messages.</p>
      </Empty>
    );
  }
  return (
    <div className="plain-list">
      <h2 className="tree-head">Models</h2>
      <ul>
        {models.map(({ path }) => (
          <li key={path} className="tree-row" title={path}>
            <Icon name="trace" size={14} /><span className="tree-name">{path}</span>
            <IconButton icon="run" label={`Run ${path} with a trace`}
              onClick={() => void start({
                command: "run", file: path, options: { trace: "true" },
              })} />
          </li>
        ))}
      </ul>
      <h2 className="tree-head">Stored runs</h2>
      <ul>
        {stored.map(({ id, model, created }) => (
          <li key={id}>
            <button type="button" className="tree-row"
              onClick={() => openTab({ kind: "trace", experiment: id })}>
              <span className="number">{id}</span><span className="tree-name">{model}</span>
              <span className="soft">{created.slice(5)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
