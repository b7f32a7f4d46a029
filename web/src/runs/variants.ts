// Values that stand for several: ranges, lists and distributions make a sweep.
import type { Override } from "./settings";

const range = /^\s*([-+\d.eE]+)\s*:\s*([-+\d.eE]+)\s*:\s*([-+\d.eE]+)\s*$/;
const spaced = /^\s*(?:linspace|logspace)\s*\([^,]+,[^,]+,\s*(\d+)\s*\)\s*$/;
const drawn = /^\s*(?:normal|uniform|lognormal|triangular|beta|gamma|weibull|exponential)\s*\(/;

/** How many values a text stands for; 0 for a distribution, which has no count. */
export function countValues(text: string): number {
  const found = range.exec(text);
  if (found) {
    const [first, step, last] = found.slice(1).map(Number);
    if (first === undefined || step === undefined || last === undefined) return 1;
    const count = Math.floor(((last - first) / step) * (1 + 1e-12) + 1e-9) + 1;
    return Number.isFinite(count) && count > 0 ? count : 1;
  }
  const points = spaced.exec(text);
  if (points) return Number(points[1]);
  if (drawn.test(text) || /^\s*\[.*\]\s*$/.test(text)) return 0;
  const list = /^\s*\{(.*)\}\s*$/.exec(text);
  return list ? (list[1] ?? "").split(",").length : 1;
}

/** The values that are varied, as "name=1:0.5:5", and those that are fixed. */
export function splitVaried(
  overrides: Override[],
): { vary: string[]; set: Record<string, string> } {
  const vary: string[] = [];
  const set: Record<string, string> = {};
  for (const { name, value } of overrides) {
    if (!name.trim() || !value.trim()) continue;
    if (countValues(value) === 1) set[name.trim()] = value.trim();
    else vary.push(`${name.trim()}=${value.trim()}`);
  }
  return { vary, set };
}

/** The number of runs of a grid over all values; `draws` for each distribution. */
export function countVariants(overrides: Override[], draws = 1000): number {
  const counts = overrides.filter(({ name, value }) => name.trim() && value.trim())
    .map(({ value }) => countValues(value));
  const grid = counts.reduce((product, count) => product * (count || 1), 1);
  return counts.includes(0) ? grid * draws : grid;
}
