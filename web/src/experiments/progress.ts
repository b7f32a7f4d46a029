// How experiments go on that the page has started: runs that have ended, and the best
// value that a search has come to.
import { onNews } from "../api/events";
import { createStore } from "../state/store";

export interface Progress {
  ended: number;
  failed: number;
  /** What a search had evaluated, and how good its best point was then. */
  evaluated: number[];
  best: number[];
}

const none: Progress = { ended: 0, failed: 0, evaluated: [], best: [] };

export const progress = createStore<{ of: Record<number, Progress> }>({ of: {} });

export function progressOf(value: { of: Record<number, Progress> }, run: number): Progress {
  return value.of[run] ?? none;
}

// From the start: a search may end before its table is on the screen.
onNews("table", ({ id, ended, failed, best }) => {
  progress.update((value) => {
    const old = progressOf(value, id);
    const next: Progress = { ...old, ended, failed };
    if (typeof best === "number") {
      next.evaluated = [...old.evaluated, ended];
      next.best = [...old.best, best];
    }
    return { of: { ...value.of, [id]: next } };
  });
});

// Another studio counts its runs anew.
onNews("resync", () => progress.set({ of: {} }));
