// Values of curves at a time, and numbers as people read them.

/** The index of the last element that is not above `x`; -1 before the first. */
export function indexAt(xs: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? Infinity) <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value at `x`, on the line between its neighbours. */
export function valueAt(
  xs: ArrayLike<number>, ys: ArrayLike<number>, x: number,
): number | null {
  const i = indexAt(xs, x);
  const x0 = xs[i];
  const y0 = ys[i];
  if (x0 === undefined || y0 === undefined) return null;
  const x1 = xs[i + 1];
  const y1 = ys[i + 1];
  if (x1 === undefined || y1 === undefined || x1 === x0) return x0 === x ? y0 : null;
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/** Five digits, without zeros that say nothing. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) {
    return value.toExponential(3).replace(/\.?0+e/, "e");
  }
  return String(Number(value.toPrecision(5)));
}
