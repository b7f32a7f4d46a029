// Values of the signals at cursor A, by component, for the diagram.
import { createStore } from "../state/store";

export const valuesAtCursor = createStore<{ of: Map<string, string> }>({
  of: new Map(),
});

let shown = "";

/** Tells the values of signals, as "R1.v" with its text. */
export function tellValues(values: Map<string, string>): void {
  const parts = new Map<string, string>();
  for (const [signal, text] of values) {
    const dot = signal.indexOf(".");
    if (dot < 0) continue;
    const part = signal.slice(0, dot);
    const line = `${signal.slice(dot + 1)} ${text}`;
    const known = parts.get(part);
    parts.set(part, known ? `${known}\n${line}` : line);
  }
  const key = JSON.stringify([...parts]);
  if (key === shown) return;
  shown = key;
  valuesAtCursor.set({ of: parts });
}
