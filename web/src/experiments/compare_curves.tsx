// The final values of single runs side by side, and the difference of a curve of two.
import { useEffect, useState } from "react";
import { fetchCurves } from "../api/data";
import type { Curves } from "../api/data";
import type { Experiment } from "../api/types";
import { SmallPlot } from "../plot/small_plot";
import { short, valueAt } from "../plot/values";
import { notifyError } from "../state/notices";

const most_points = 600;

/** Values of each experiment by name: those at the end of a run, or what was found. */
export function measuresOf(experiment: Experiment): Map<string, number> {
  const results = experiment.results ?? {};
  const found = new Map<string, number>();
  const named = (list: unknown, of: string) => {
    for (const item of Array.isArray(list) ? list : []) {
      const { name, [of]: value } = item as Record<string, unknown>;
      if (typeof name === "string" && typeof value === "number") found.set(name, value);
    }
  };
  for (const [name, value] of Object.entries(results["final"] ?? {})) {
    if (typeof value === "number") found.set(name, value);
  }
  named(results["parameters"], "value");
  named(results["values"], "value");
  named(results["columns"], "mean");
  return found;
}

/** The title of a table of measures, by what they are. */
function titleOf(list: Experiment[]): string {
  if (list.every((e) => e.type === "simulate")) return "Values at the end";
  return list.every((e) => e.type === "sweep") ? "Means over all runs" : "Measures";
}

export function CompareMeasures({ list, all }: { list: Experiment[]; all: boolean }) {
  const maps = list.map(measuresOf);
  const names = [...new Set(maps.flatMap((m) => [...m.keys()]))]
    .filter((name) => all || new Set(maps.map((m) => m.get(name))).size > 1);
  if (names.length === 0) return null;
  return (
    <section aria-label="Measures">
      <h2>{titleOf(list)}</h2>
      <table className="compare-measures">
        <thead><tr><th>experiment</th> {list.map((e) => <th key={e.id}>{e.id}</th>)}
          {list.length === 2 && <th>difference</th>}</tr></thead>
        <tbody>
          {names.map((name) => {
            const values = maps.map((m) => m.get(name));
            const [a, b] = values;
            return (
              <tr key={name}><th>{name}</th>
                {values.map((value, i) => <td key={i}><code>{short(value)}</code></td>)}
                {list.length === 2 && (
                  <td><code>{a !== undefined && b !== undefined && short(b - a)}</code></td>
                )}</tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface Pair {
  a: Curves;
  b: Curves;
}

/** The second curve minus the first, at the times of the first. */
export function differenceOf({ a, b }: Pair): { x: number[]; y: (number | null)[] } {
  const [times = [], values = []] = a.values.map((v) => [...v]);
  const [others = [], theirs = []] = b.values;
  return {
    x: times,
    y: times.map((t, i) => {
      const other = valueAt(others, theirs, t);
      const own = values[i];
      return other === null || own === undefined ? null : other - own;
    }),
  };
}

/** The curves of a signal of two single runs, and their difference. */
export function CompareCurves({ list }: { list: Experiment[] }) {
  const names = list.map((e) => Object.keys(e.results?.["final"] ?? {}));
  const moving = (names[0] ?? []).filter((n) => (names[1] ?? []).includes(n)
    && (names[0] ?? []).includes(`der(${n})`));
  const common = moving.length > 0 ? moving
    : (names[0] ?? []).filter((n) => (names[1] ?? []).includes(n));
  const [signal, setSignal] = useState(common[0] ?? "");
  const [pair, setPair] = useState<Pair | null>(null);
  const [first, second] = list;
  useEffect(() => {
    if (!signal || !first || !second) return undefined;
    let left = false;
    const curvesOf = (id: number) => fetchCurves({
      experiment: id, run: 0, signals: [signal], px: most_points,
    });
    Promise.all([curvesOf(first.id), curvesOf(second.id)]).then(([a, b]) => {
      if (!left) setPair({ a, b });
    }).catch((reason: unknown) => notifyError(`compare ${signal}`, reason));
    return () => {
      left = true;
    };
  }, [signal, first?.id, second?.id]);
  if (!first || !second || common.length === 0) return null;
  const curve = (curves: Curves, id: number) => ({
    name: `${signal} of ${id}`, x: [...(curves.values[0] ?? [])],
    y: [...(curves.values[1] ?? [])],
  });
  return (
    <section className="compare-curves" aria-label="Curves">
      <h2>Curves</h2>
      <label className="small-field">signal
        <select value={signal} onChange={(event) => setSignal(event.target.value)}>
          {common.map((name) => <option key={name}>{name}</option>)}
        </select>
      </label>
      {pair && (
        <>
          <SmallPlot label={`${signal} of both runs`} xLabel="t, s" yLabel={signal}
            series={[curve(pair.a, first.id), curve(pair.b, second.id)]} />
          <SmallPlot label={`Difference of ${signal}`} xLabel="t, s" height={130}
            yLabel={`${signal} of ${second.id} − of ${first.id}`}
            series={[{ name: "difference", color: 2, ...differenceOf(pair) }]} />
        </>
      )}
    </section>
  );
}
