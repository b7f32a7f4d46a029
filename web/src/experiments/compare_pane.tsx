// Two or more experiments: what differs in their settings and in their texts.
import { useEffect, useMemo, useState } from "react";
import { getJson } from "../api/client";
import type { Experiment } from "../api/types";
import { showStored } from "../plot/plots";
import { settingsOf } from "../results/runs_list";
import { notifyError } from "../state/notices";
import { Button } from "../ui/controls";
import { CompareCurves, CompareMeasures } from "./compare_curves";
import { CompareTexts } from "./compare_texts";

/** All values below an object, by their paths. */
export function flatten(value: unknown, path = ""): Map<string, string> {
  if (typeof value !== "object" || value === null) {
    return new Map([[path, String(value)]]);
  }
  const found = new Map<string, string>();
  if (Array.isArray(value) && value.every((v) => typeof v !== "object")) {
    found.set(path, value.join(", "));
    return found;
  }
  for (const [name, member] of Object.entries(value)) {
    for (const [below, text] of flatten(member, path ? `${path}.${name}` : name)) {
      found.set(below, text);
    }
  }
  return found;
}

interface ComparedRow {
  name: string;
  values: string[];
  differs: boolean;
}

const words: Record<string, string> = {
  kind: "kind", model: "model", status: "how it ended", file: "file", class: "class",
  stop: "stop time", solver: "solver", tolerance: "tolerance", input: "input",
};

/** What nobody sets: how the studio follows a run, and the version of the record. */
const inner = /^(?:orrery|live(?:\..*)?)$/;

/** A setting by the words of its field; what was set for a run by its name alone. */
function nameOfSetting(path: string): string {
  const set = /^set\.(.*)$/.exec(path);
  const inside = path.replace(/^(?:options|run)\./, "");
  return set?.[1] ?? words[inside] ?? inside.replaceAll("_", " ").replaceAll(".", ": ");
}

export function compareAll(experiments: Experiment[]): ComparedRow[] {
  const maps = experiments.map((e) => flatten({
    kind: e.type, model: e.model, status: e.status, ...e.document,
  }));
  const paths = [...new Set(maps.flatMap((m) => [...m.keys()]))]
    .filter((path) => !inner.test(path));
  return paths.map((path) => {
    const values = maps.map((m) =>
      m.get(path) ?? (path.startsWith("set.") ? "as in the model" : "–"));
    return { name: nameOfSetting(path), values, differs: new Set(values).size > 1 };
  });
}

export default function ComparePane({ ids }: { ids: number[] }) {
  const [list, setList] = useState<Experiment[] | null>(null);
  const [all, setAll] = useState(false);
  const key = ids.join();
  useEffect(() => {
    Promise.all(key.split(",").map((id) => getJson<Experiment>(`/api/experiments/${id}`)))
      .then(setList)
      .catch((reason: unknown) => notifyError("read the experiments", reason));
  }, [key]);
  const rows = useMemo(() => compareAll(list ?? []), [list]);
  if (!list) return <p className="loading">Reading the experiments…</p>;
  const shown = all ? rows : rows.filter((r) => r.differs);
  const single = list.filter((e) => e.type === "simulate");
  return (
    <div className="compare-pane">
      <header>
        <h1>What differs</h1>
        <span className="grow" />
        {single.length > 0 && (
          <Button icon="results" onClick={() => single.forEach((e) =>
            showStored({ ...e, set: settingsOf(e) }, true))}>Lay their curves over each other</Button>
        )}
        <Button onClick={() => setAll(!all)}>
          {all ? "Only differences" : "Show all settings"}</Button>
      </header>
      <section aria-label="Settings">
        <h2>Settings</h2>
        {shown.length === 0 ? <p className="soft">All settings are the same.</p> : (
          <table>
            <thead><tr><th>experiment</th>
              {list.map((e) => <th key={e.id}>{e.id}</th>)}</tr></thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.name} data-differs={row.differs}>
                  <th>{row.name}</th>
                  {row.values.map((value, i) => <td key={i}><code>{value}</code></td>)}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <CompareTexts ids={list.map((e) => e.id)} />
      <CompareMeasures list={list} all={all} />
      {single.length === 2 && list.length === 2 && <CompareCurves key={key} list={single} />}
    </div>
  );
}
