// The values of a tile's curves: rows of a run that goes on, or what the server
// has thinned of a stored one.
import { useEffect, useState } from "react";
import { fetchCurves } from "../api/data";
import { getJson } from "../api/client";
import type { Signal, Window } from "../api/types";
import { isGoing, runs } from "../runs/live";
import type { Run } from "../runs/live";
import { onRows, rowsOf } from "../runs/live_rows";
import { storedId } from "../results/stored_run";
import { useStore } from "../state/store";
import { plots, showFirst } from "./plots";
import type { Source, Tile } from "./plots";

export interface Curve {
  key: string;
  source: Source;
  sourceIndex: number;
  signal: string;
  signalIndex: number;
  unit: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

/** Signals of a run that one plot can show. */
const most_curves = 16;

interface Wanted {
  sources: Source[];
  signals: string[];
  x: string | null;
  window: [number, number] | null;
  px: number;
}

function liveCurves(source: Source, at: number, { signals, x }: Wanted): Curve[] {
  const rows = source.live === null ? undefined : rowsOf(source.live);
  if (!rows) return [];
  const axis = x === null ? rows.time : rows.columns[x];
  if (!axis) return [];
  // One array for all curves: a plot then needs no union of their times.
  const xs = axis.slice();
  return signals.flatMap((signal, signalIndex) => {
    const y = rows.columns[signal];
    return y ? [{
      key: `${source.key}/${signal}`, source, sourceIndex: at, signal, signalIndex,
      unit: "", x: xs, y: y.slice(),
    }] : [];
  });
}

async function storedCurves(
  source: Source, at: number, wanted: Wanted, stop: AbortSignal,
): Promise<Curve[]> {
  const experiment = storedId(source, runs.get().list);
  if (experiment === null) return liveCurves(source, at, wanted);
  const { window, px, x } = wanted;
  const signals = wanted.signals.slice(0, most_curves);
  if (signals.length === 0) return [];
  const data = await fetchCurves({
    experiment, run: source.run, signals, px,
    ...(window ? { from: window[0], to: window[1] } : {}),
    ...(x === null ? {} : { x }),
  }, stop);
  const axis = data.values[0] ?? new Float64Array();
  return data.columns.slice(1).flatMap(({ name, unit }, i) => {
    const y = data.values[i + 1];
    return y ? [{
      key: `${source.key}/${name}`, source, sourceIndex: at, signal: name,
      signalIndex: signals.indexOf(name), unit, x: axis, y,
    }] : [];
  });
}

/** The curves of a tile, read again while they grow. */
export function useCurves(wanted: Wanted): Curve[] {
  const { sources, signals, x, window, px } = wanted;
  const [curves, setCurves] = useState<Curve[]>([]);
  const [rows, setRows] = useState(0);
  const ended = useStore(runs, (r) =>
    r.list.filter((run) => !isGoing(run) && run.experiment !== null).length);
  useEffect(() => {
    let asked = 0;
    const undo = onRows((id) => {
      if (!sources.some((s) => s.live === id) || asked) return;
      // Rows may come more often than a screen shows pictures.
      asked = requestAnimationFrame(() => {
        asked = 0;
        setRows((n) => n + 1);
      });
    });
    return () => {
      undo();
      cancelAnimationFrame(asked);
    };
  }, [sources]);
  const from = window?.[0];
  const to = window?.[1];
  const names = signals.join("\n");
  useEffect(() => {
    const stop = new AbortController();
    const list = names ? names.split("\n") : [];
    const whole: Wanted = {
      sources, signals: list, x, px,
      window: from === undefined || to === undefined ? null : [from, to],
    };
    Promise.all(sources.map((source, i) => storedCurves(source, i, whole, stop.signal)
      .catch(() => liveCurves(source, i, whole))))
      .then((found) => {
        if (!stop.signal.aborted) setCurves(found.flat());
      })
      .catch(() => undefined);
    return () => stop.abort();
  }, [sources, names, x, from, to, px, rows, ended]);
  return curves;
}

/** What a tile shows of the runs of some experiments, all of their time. */
export async function curvesOfTile(
  { signals, x }: Tile, experiments: number[], px: number,
): Promise<Curve[]> {
  const { list } = runs.get();
  const { sources } = plots.get();
  const wanted: Wanted = { sources, signals, x, window: null, px };
  const found = await Promise.all(sources.map((source, i) => {
    const experiment = storedId(source, list);
    return experiment !== null && experiments.includes(experiment)
      ? storedCurves(source, i, wanted, new AbortController().signal).catch(() => []) : [];
  }));
  return found.flat();
}

/** How many signals are shown of a model that was not shown before. */
const first_look = 3;

/** Those of some names whose derivatives are named, too: the states. */
export function statesIn(names: string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => all.has(`der(${name})`));
}

/** Some signals of a run that goes on, until it ends and tells all of its names. */
function choosePreliminary(run: Run): void {
  const names = Object.keys(rowsOf(run.id)?.columns ?? {});
  const { tiles } = plots.get();
  if (names.length === 0 || tiles.some((t) => t.signals.some((s) => names.includes(s)))) {
    return;
  }
  const states = statesIn(names);
  showFirst("", (states.length > 0 ? states : names).slice(0, first_look));
}

/** Chooses signals for a first look at a run: its states, else what moves. */
export async function chooseFirst(run: Run): Promise<void> {
  if (run.model === plots.get().model) return;
  if (isGoing(run) || run.experiment === null) choosePreliminary(run);
  else await chooseFirstStored(run.model, run.experiment);
}

/** The same of a stored run of a model; of the model that is shown all stays. */
export async function chooseFirstStored(model: string, experiment: number): Promise<void> {
  if (model === plots.get().model) return;
  const path = `/api/experiments/${experiment}/0/signals`;
  const derivatives = await getJson<Window<Signal>>(path,
    { q: "der(*)", limit: first_look });
  if (derivatives.items.length > 0) {
    showFirst(model, derivatives.items.map(({ name }) => name.slice(4, -1)));
    return;
  }
  const { items } = await getJson<Window<Signal>>(path, { q: "*", limit: 50 });
  const moving = items.filter((s) => s.children === 0 && s.kind !== "constant");
  showFirst(model, moving.slice(0, first_look).map((s) => s.name));
}
