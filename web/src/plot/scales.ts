// Scales of pictures: the places of values between two edges.
import { ticksOf } from "./ticks";

export interface Scale {
  at: (value: number) => number;
  valueAt: (place: number) => number;
  ticks: number[];
}

/** Whether a value has a place: on a scale of powers of ten, those above zero have. */
export function hasPlace(value: number | null | undefined, log: boolean): value is number {
  return value !== null && value !== undefined && Number.isFinite(value)
    && (!log || value > 0);
}

/** Powers of ten in a range of logarithms, or their tenths where it is narrow. */
function logTicks(from: number, to: number, count: number): number[] {
  const step = Math.max(1, Math.ceil((to - from) / Math.max(1, count)));
  const ticks: number[] = [];
  for (let i = Math.ceil(from - 1e-9); i <= to + 1e-9; i += step) ticks.push(10 ** i);
  return ticks.length > 1 ? ticks
    : ticksOf(from, to, count).map((t) => 10 ** t);
}

/**
 * The least and greatest of the values that have a place, as the scale counts them:
 * logarithms if it goes by powers of ten. With room for a single value.
 */
function rangeOn(lists: Iterable<ArrayLike<number | null>>, log: boolean): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (const list of lists) {
    for (let i = 0; i < list.length; ++i) {
      const value = list[i];
      if (!hasPlace(value, log)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  if (least > most) return [0, 1];
  if (log) [least, most] = [Math.log10(least), Math.log10(most)];
  return least === most ? [least - 0.5, most + 0.5] : [least, most];
}

interface ScaleOptions {
  log?: boolean;
  /** Empty room at both ends, as a share of the range. */
  room?: number;
  /** About how many marks there are. */
  count: number;
}

/** The scale of lists of values between two places. */
export function scaleOf(
  lists: Iterable<ArrayLike<number | null>>, from: number, to: number,
  { log = false, room = 0, count }: ScaleOptions,
): Scale {
  const [least, most] = rangeOn(lists, log);
  const low = least - room * (most - least);
  const high = most + room * (most - least);
  return {
    at: (value) => from + (((log ? Math.log10(value) : value) - low) / (high - low)) * (to - from),
    valueAt: (place) => {
      const found = low + ((place - from) / (to - from)) * (high - low);
      return log ? 10 ** found : found;
    },
    ticks: log ? logTicks(low, high, count) : ticksOf(low, high, count),
  };
}
