// The resources of a plan's run over the same part of time as its activities: a
// band each.
import { useEffect, useState } from "react";
import { getJson } from "../api/client";
import { fetchCurves } from "../api/data";
import type { Curves } from "../api/data";
import type { Signal, Window } from "../api/types";
import { short } from "../plot/values";
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

/** The path of a curve that fills its band from its least to its greatest value. */
export function bandPath(
  x: Float64Array, y: Float64Array, width: number, height: number,
  [from, to]: [number, number],
): { path: string; least: number; most: number } {
  let least = Infinity;
  let most = -Infinity;
  for (const value of y) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const room = most > least ? most - least : 1;
  let path = "";
  for (let i = 0; i < x.length; ++i) {
    const px = (((x[i] ?? 0) - from) / (to - from)) * width;
    const py = height - 4 - (((y[i] ?? 0) - least) / room) * (height - 8);
    path += `${i === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`;
  }
  return { path, least, most };
}

export function Bands({ experiment, range, labelWidth }: BandsProps) {
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
  const x = curves?.values[0];
  return (
    <div className="bands" ref={host}>
      {signals.map(({ name, unit }, i) => {
        const y = curves?.values[i + 1];
        if (!x || !y || curves.columns[i + 1]?.name !== name) return null;
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
