// The stored single runs, newest first; a tick lays one over the plots.
import { useEffect, useState } from "react";
import { getJson } from "../api/client";
import { onStored } from "../api/events";
import type { Experiment } from "../api/types";
import { chooseFirstStored } from "../plot/curve_data";
import { plots, removeSource, showStored } from "../plot/plots";
import { runs } from "../runs/live";
import { useStore } from "../state/store";

/** What was set for a stored run, out of its document. */
export function settingsOf(experiment: Experiment): Record<string, string> {
  const { set, run } = (experiment.document ?? {}) as {
    set?: Record<string, unknown>; run?: { set?: unknown };
  };
  const found: Record<string, string> = {};
  const list = run?.set;
  if (Array.isArray(list)) {
    for (const word of list) {
      const [name, value] = String(word).split("=");
      if (name && value !== undefined) found[name] = value;
    }
  } else {
    for (const [name, value] of Object.entries(set ?? {})) found[name] = String(value);
  }
  return found;
}

export function RunsList() {
  const [list, setList] = useState<Experiment[]>([]);
  const sources = useStore(plots, (p) => p.sources);
  const live = useStore(runs, (r) => r.list);
  useEffect(() => {
    const load = () => {
      getJson<{ experiments: Experiment[] }>("/api/experiments", { limit: 30 })
        .then(({ experiments }) => setList(experiments.filter((e) =>
          e.type === "simulate")))
        .catch(() => undefined);
    };
    load();
    return onStored(load);
  }, []);
  if (list.length === 0) return null;
  const keyOf = (id: number) => {
    const started = live.find((run) => run.experiment === id);
    const key = started ? `live${started.id}` : `${id}.0`;
    return sources.some((s) => s.key === key) ? key : `${id}.0`;
  };
  const toggle = async (experiment: Experiment, key: string, on: boolean) => {
    if (!on) {
      removeSource(key);
      return;
    }
    const whole = await getJson<Experiment>(`/api/experiments/${experiment.id}`)
      .catch(() => experiment);
    const { id, model } = experiment;
    showStored({ id, model, set: settingsOf(whole) }, true);
    await chooseFirstStored(model, id).catch(() => undefined);
  };
  return (
    <ul className="runs-list" aria-label="Stored runs">
      {list.map((experiment) => {
        const key = keyOf(experiment.id);
        const shown = sources.some((s) => s.key === key);
        return (
          <li key={experiment.id}>
            <label>
              <input type="checkbox" checked={shown}
                onChange={(e) => void toggle(experiment, key, e.target.checked)} />
              <span className="number">{experiment.id}</span>
              <span className="tree-name">{experiment.model}</span>
              <span className={`state ${experiment.status}`}>
                {experiment.status === "completed" ? "" : experiment.status}</span>
              <span className="soft">{experiment.created.slice(5)}</span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}
