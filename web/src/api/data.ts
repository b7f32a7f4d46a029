// Curves, thinned by the server to what the pixels of a plot can show.
import { ask, withQuery } from "./client";

export interface DataColumn {
  name: string;
  unit: string;
}

export interface Curves {
  columns: DataColumn[];
  /** One array a column; the first is the x axis. */
  values: Float64Array[];
  from: number;
  to: number;
}

interface Header {
  columns: DataColumn[];
  rows: number;
  from: number;
  to: number;
}

/** Splits `u32 length, JSON header, Float64 columns`, little endian. */
export function readCurves(buffer: ArrayBuffer): Curves {
  const length = new DataView(buffer).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  const header = JSON.parse(text) as Header;
  const bytes = buffer.slice(4 + length);
  const values = header.columns.map((_, i) =>
    new Float64Array(bytes, i * header.rows * 8, header.rows));
  return { columns: header.columns, values, from: header.from, to: header.to };
}

export interface CurvesWanted {
  experiment: number;
  run: number;
  signals: string[];
  from?: number;
  to?: number;
  /** Width of the plot in device pixels. */
  px: number;
  /** The signal of the x axis; time if absent. */
  x?: string;
}

export async function fetchCurves(
  wanted: CurvesWanted, signal?: AbortSignal,
): Promise<Curves> {
  const path = `/api/experiments/${wanted.experiment}/${wanted.run}/data`;
  const query = {
    s: wanted.signals.join(","),
    from: wanted.from, to: wanted.to, px: Math.round(wanted.px), x: wanted.x,
    // Runs of other models lie over each other: not each has all signals.
    missing: "skip",
  };
  const answer = await ask(withQuery(path, query), signal ? { signal } : {});
  return readCurves(await answer.arrayBuffer());
}
