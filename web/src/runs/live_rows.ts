// Rows of the runs that go on, as they have come so far. Outside of any store, for
// they grow.
import type { RowsNews } from "../api/types";

export interface LiveRows {
  /** The number of the first row that is known: those before it were not heard. */
  first: number;
  time: number[];
  /** Values by signal, one a time; NaN before a signal was watched. */
  columns: Record<string, number[]>;
}

const live_rows = new Map<number, LiveRows>();
const listeners = new Set<(id: number) => void>();

/** Calls `listener` with the number of a run that has new rows, until it is undone. */
export function onRows(listener: (id: number) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function rowsOf(id: number): LiveRows | undefined {
  return live_rows.get(id);
}

export function forgetRows(id: number): void {
  live_rows.delete(id);
}

/**
 * Takes the rows that a run tells. They replace those from the same number on; after
 * a gap, which no curve may bridge, only the new ones are kept.
 */
export function takeRows({ id, from, time, columns }: RowsNews): void {
  let known = live_rows.get(id);
  if (!known || from < known.first || from > known.first + known.time.length) {
    known = { first: from, time: [], columns: {} };
    live_rows.set(id, known);
  }
  const at = from - known.first;
  known.time.length = at;
  known.time.push(...time);
  for (const column of Object.values(known.columns)) {
    column.length = Math.min(column.length, at);
  }
  for (const [name, values] of Object.entries(columns)) {
    const column = (known.columns[name] ??= []);
    while (column.length < at) column.push(NaN);
    column.push(...values);
  }
  for (const listener of listeners) listener(id);
}
