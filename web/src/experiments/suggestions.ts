// Ranges for a parameter to vary over, around its value in the model.
import type { Kind } from "./design";

function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** The text that a line of the form begins with; empty if nothing is known. */
export function suggested(kind: Kind, value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value) || value === 0) return "";
  const between = (low: number, high: number) =>
    `[${rounded(Math.min(low, high))},${rounded(Math.max(low, high))}]`;
  switch (kind) {
    case "sweep": {
      const step = Math.abs(value) / 4;
      return `${rounded(value - 2 * step)}:${rounded(step)}:${rounded(value + 2 * step)}`;
    }
    case "montecarlo":
      return `normal(${rounded(value)},${rounded(Math.abs(value) / 20)})`;
    case "calibrate": return rounded(value) + between(value / 10, value * 10);
    case "optimize": return between(value / 10, value * 10);
    case "sensitivity": return between(value * 0.9, value * 1.1);
    default: return rounded(value);
  }
}
