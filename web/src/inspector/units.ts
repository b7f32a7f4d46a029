// Values with units. The text keeps its number in the unit of the declaration; a
// unit chosen in the inspector changes only what is shown and how typing is read.
import type { Parameter } from "../language/protocol";

export type Unit = Parameter["units"][number];

const number_text = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*$/;

/** A number without noise of conversion: at most 15 digits. */
export function plain(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** The value of a text in the declared unit, as it is shown in `unit`. */
export function shownIn(text: string, unit: Unit | undefined): string {
  const found = number_text.exec(text);
  if (!unit || !found || found[2]) return text;
  return plain((Number(found[1]) - unit.offset) / unit.factor);
}

/**
 * What is written into the text for what was typed: "1.5 kOhm" becomes "1500", a
 * bare number is read in the chosen unit, an expression stays as it is.
 */
export function written(
  typed: string, chosen: Unit | undefined, units: Unit[],
): string {
  const found = number_text.exec(typed);
  if (!found) return typed.trim();
  const named = found[2] ? units.find((u) => u.name === found[2]) : chosen;
  if (found[2] && !named) return typed.trim();
  if (!named || (named.factor === 1 && named.offset === 0)) return found[1] ?? "";
  return plain(Number(found[1]) * named.factor + named.offset);
}
