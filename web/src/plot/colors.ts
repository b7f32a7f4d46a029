// Colours and dashes of curves: a colour a run and a dash a signal; with one run
// only, a colour a signal.
import type { Curve } from "./curve_data";

const dashes: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2]];

export interface Stroke {
  color: string;
  dash: number[];
}

/** The colour of a series as the page's style has it now. */
export function seriesColor(index: number): string {
  const style = getComputedStyle(document.documentElement);
  return style.getPropertyValue(`--series-${(index % 8) + 1}`).trim() || "#2b62c9";
}

export function strokeOf(curve: Curve, sources: number): Stroke {
  return sources > 1
    ? { color: seriesColor(curve.sourceIndex),
        dash: dashes[curve.signalIndex % dashes.length] ?? [] }
    : { color: seriesColor(curve.signalIndex), dash: [] };
}

/** A colour of the page by the name of its variable. */
export function pageColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
