// The user's present work: the document, its class, and what is selected in it.
import { createStore } from "./store";

export interface Focus {
  path: string;
  class: string;
  /** Names of the selected components. */
  parts: string[];
  /** Selected connections, as "from|to". */
  lines: string[];
}

export const focus = createStore<Focus>({
  path: "", class: "", parts: [], lines: [],
});

/** Turns to a document and one of its classes, with nothing selected. */
export function focusOn(path: string, name: string): void {
  const now = focus.get();
  if (now.path === path && now.class === name) return;
  focus.set({ path, class: name, parts: [], lines: [] });
}
