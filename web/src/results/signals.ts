// The signals of a run: all columns of one that goes on, windows of a stored tree.
import { getJson } from "../api/client";
import type { Signal, Window } from "../api/types";
import { runs } from "../runs/live";
import { rowsOf } from "../runs/live_rows";
import type { Source } from "../plot/plots";
import { createStore } from "../state/store";
import { storedId } from "./stored_run";

export interface SignalRow {
  key: string;
  name: string;
  depth: number;
  signal: Signal;
  open: boolean;
}

interface SignalsState {
  /** Of which run the tree is. */
  of: string;
  query: string;
  windows: Record<string, Window<Signal>>;
  open: Record<string, boolean>;
}

export const signals = createStore<SignalsState>({
  of: "", query: "", windows: {}, open: {},
});

const page = 500;

export function treeKey(source: Source | undefined): string {
  if (!source) return "";
  const experiment = storedId(source, runs.get().list);
  return experiment === null ? `live${source.live}` : `${experiment}/${source.run}`;
}

function liveWindow(source: Source, query: string): Window<Signal> {
  const rows = source.live === null ? undefined : rowsOf(source.live);
  const names = Object.keys(rows?.columns ?? {}).filter((n) => matches(n, query));
  return {
    total: names.length,
    items: names.map((name) => {
      const values = rows?.columns[name] ?? [];
      return { name, unit: "", kind: "signal", children: 0,
        last: values[values.length - 1] ?? null };
    }),
  };
}

/** Whether a name has the words; `*` and `?` stand for letters. */
export function matches(name: string, query: string): boolean {
  if (!query) return true;
  if (!/[*?]/.test(query)) return name.toLowerCase().includes(query.toLowerCase());
  const pattern = query.replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*").replaceAll("?", ".");
  return new RegExp(`^${pattern}$`, "i").test(name);
}

/** Fetches the next signals below a component, or those that a query finds. */
export async function loadSignals(source: Source, under: string): Promise<void> {
  const { query, windows } = signals.get();
  const key = treeKey(source);
  if (key.startsWith("live")) {
    signals.set({ of: key, windows: { "": liveWindow(source, query) } });
    return;
  }
  const known = signals.get().of === key ? windows[under]?.items ?? [] : [];
  const next = await getJson<Window<Signal>>(`/api/experiments/${key}/signals`, {
    under, offset: known.length, limit: page, ...(query ? { q: query } : {}),
  });
  signals.update((value) => {
    if (value.query !== query) return value;
    const kept = value.of === key ? value.windows : {};
    return {
      ...value, of: key,
      windows: { ...kept, [under]: {
        total: next.total, items: [...known, ...next.items],
      } },
    };
  });
}

/** The rows of all that is open. */
export function signalRows({ windows, open, query }: SignalsState): SignalRow[] {
  const rows: SignalRow[] = [];
  const add = (under: string, depth: number) => {
    for (const signal of windows[under]?.items ?? []) {
      const inside = signal.children > 0;
      const isOpen = inside && (open[signal.name] ?? false);
      const short = under && signal.name.startsWith(`${under}.`)
        ? signal.name.slice(under.length + 1) : signal.name;
      rows.push({
        key: signal.name, name: query ? signal.name : short, depth, signal, open: isOpen,
      });
      if (isOpen) add(signal.name, depth + 1);
    }
  };
  add("", 0);
  return rows;
}
