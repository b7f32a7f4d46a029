// Where the user was before each jump: to go back there, and forward again.
import { jumpTo } from "../editor/shown_range";
import { openDocument, viewOf } from "./documents";
import { activeTab, keyOf, layout, openTab } from "./layout";
import type { Tab } from "./layout";

interface Place {
  tab: Tab;
  /** The caret of a text. */
  offset: number;
}

const most_places = 100;
let behind: Place[] = [];
let ahead: Place[] = [];

function here(): Place | null {
  const tab = activeTab(layout.get());
  if (!tab) return null;
  const view = tab.kind === "text" ? viewOf(tab.path) : undefined;
  return { tab, offset: view?.state.selection.main.head ?? 0 };
}

function isSame(a: Place, b: Place): boolean {
  return a.offset === b.offset && keyOf(a.tab) === keyOf(b.tab);
}

/** Keeps the place in use, to be called before a jump away from it. */
export function leave(): void {
  const place = here();
  if (!place) return;
  behind = [...behind, place].slice(-most_places);
  ahead = [];
}

async function show({ tab, offset }: Place): Promise<void> {
  const view = "path" in tab ? await openDocument(tab.path) : null;
  if ("path" in tab && !view) return;
  openTab(tab);
  if (tab.kind === "text" && view) jumpTo(view, offset);
}

/** The last place of a list that is not the one in use; it is taken out. */
function takeLast(places: Place[]): Place | undefined {
  const now = here();
  let place = places.pop();
  while (place && now && isSame(place, now)) place = places.pop();
  return place;
}

export function goBack(): void {
  const now = here();
  const place = takeLast(behind);
  if (!place) return;
  if (now) ahead.push(now);
  void show(place);
}

export function goForward(): void {
  const now = here();
  const place = takeLast(ahead);
  if (!place) return;
  if (now) behind.push(now);
  void show(place);
}
