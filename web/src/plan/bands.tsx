// The resources of a plan's run over the same part of time as its activities: a
// band each.
import { useEffect, useState } from "react";
import { getJson } from "../api/client";
import { fetchCurves } from "../api/data";
import type { Curves } from "../api/data";
import type { Signal, Window } from "../api/types";
import { indexAt, short, valueAt } from "../plot/values";
import { useSize } from "../ui/use_size";

/** Bands that are shown at first. */
const most_bands = 6;
const band_height = 46;
const pause_ms = 80;

interface BandsProps {
  experiment: number;
  range: [number, number];
  /** The width of the labels at the left, as in the chart above. */
  labelWidth: number;
}

function useResources(experiment: number): Signal[] {
  const [signals, setSignals] = useState<Signal[]>([]);
  useEffect(() => {
    getJson<Window<Signal>>(`/api/experiments/${experiment}/0/signals`,
      { q: "*", limit: 100 })
      .then(({ items }) => setSignals(items.filter((s) =>
        s.children === 0 && s.kind !== "constant").slice(0, most_bands)))
      .catch(() => setSignals([]));
  }, [experiment]);
  return signals;
}

/** The part of a curve in a range of time, with its values at the limits. */
function clipped(
  x: ArrayLike<number | null>, y: ArrayLike<number | null>, [from, to]: [number, number],
): [number, number][] {
  const times = x as ArrayLike<number>;
  const values = y as ArrayLike<number>;
  const points: [number, number][] = [];
  const add = (at: number, value: number | null | undefined) => {
    if (value !== null && value !== undefined) points.push([at, value]);
  };
  const last = indexAt(times, to);
  const first = indexAt(times, from);
  add(from, valueAt(times, values, from));
  for (let i = first + 1; i <= last; ++i) add(times[i] ?? 0, y[i]);
  add(to, valueAt(times, values, to));
  return points;
}

/** The path of a curve that fills its band from its least to its greatest value. */
export function bandPath(
  x: ArrayLike<number | null>, y: ArrayLike<number | null>, width: number, height: number,
  range: [number, number],
): { path: string; least: number; most: number } {
  const [from, to] = range;
  const points = clipped(x, y, range);
  let least = Infinity;
  let most = -Infinity;
  for (const [, value] of points) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const room = most > least ? most - least : 1;
  const path = points.map(([time, value], i) => {
    const px = ((time - from) / (to - from)) * width;
    const py = height - 4 - ((value - least) / room) * (height - 8);
    return `${i === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`;
  }).join("");
  return { path, least, most };
}

/** The bands of a stored run, whose curves come for each part of time. */
export function StoredBands({ experiment, range, labelWidth }: BandsProps) {
  const signals = useResources(experiment);
  const [host, width] = useSize();
  const [curves, setCurves] = useState<Curves | null>(null);
  const inner = Math.max(10, width - labelWidth - 12);
  const names = signals.map((s) => s.name).join(",");
  const [from, to] = range;
  useEffect(() => {
    if (!names) return undefined;
    const stop = new AbortController();
    const wait = setTimeout(() => {
      fetchCurves({
        experiment, run: 0, signals: names.split(","), from, to, px: inner,
      }, stop.signal).then(setCurves).catch(() => undefined);
    }, pause_ms);
    return () => {
      clearTimeout(wait);
      stop.abort();
    };
  }, [experiment, names, from, to, inner]);
  return (
    <div ref={host}>
      {curves && <Bands columns={curves.columns} values={curves.values} range={range}
        labelWidth={labelWidth} />}
    </div>
  );
}

interface CurvesProps {
  /** The first column is the time. */
  columns: { name: string; unit: string }[];
  values: ArrayLike<number | null>[];
  range: [number, number];
  labelWidth: number;
}

/** Curves over a part of time, a band each. */
export function Bands({ columns, values, range, labelWidth }: CurvesProps) {
  const [host, width] = useSize();
  const inner = Math.max(10, width - labelWidth - 12);
  const x = values[0];
  return (
    <div className="bands" ref={host}>
      {columns.slice(1, most_bands + 1).map(({ name, unit }, i) => {
        const y = values[i + 1];
        if (!x || !y) return null;
        const { path, least, most } = bandPath(x, y, inner, band_height, range);
        return (
          <div className="band" key={name} style={{ height: band_height }}>
            <span className="band-label" style={{ width: labelWidth }} title={name}>
              <span>{name}</span>
              <span className="soft">{short(least)} to {short(most)} {unit}</span>
            </span>
            <svg width={inner} height={band_height} role="img"
              aria-label={`${name} from ${short(least)} to ${short(most)} ${unit}`}>
              <path d={path} style={{ stroke: `var(--series-${(i % 8) + 1})` }} />
            </svg>
          </div>
        );
      })}
    </div>
  );
}
