// Keeps outlines and scenes in step with the texts, and opens again what was open
// when the page was left.
import { classAt, refreshOutline } from "../state/classes";
import { documents, openDocument, viewOf } from "../state/documents";
import { focus, focusOn } from "../state/focus";
import { activeTab, closeTab, layout } from "../state/layout";
import { expectScene, refreshScenes } from "../diagram/scenes";

const pause_ms = 40;
const seen = new Map<string, number>();
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** The class around the caret comes into focus, if none of that document is. */
function followCaret(path: string): void {
  const view = viewOf(path);
  const { path: focused, class: name } = focus.get();
  if (!view || focused !== path || name) return;
  focusOn(path, classAt(path, view.state.selection.main.head) ?? "");
}

function refresh(path: string, uri: string): void {
  clearTimeout(waiting.get(path));
  waiting.set(path, setTimeout(() => {
    refreshOutline(path, uri).then(() => followCaret(path)).catch(() => undefined);
    refreshScenes(path);
  }, pause_ms));
}

/** The document and the class of the active tab become those in focus. */
function followTab(): void {
  const tab = activeTab(layout.get());
  if (tab?.kind === "fmu") focusOn(tab.path, "");
  if (tab?.kind === "diagram") focusOn(tab.path, tab.class);
  if (tab?.kind === "text" && tab.path !== focus.get().path) {
    const view = viewOf(tab.path);
    const name = view && classAt(tab.path, view.state.selection.main.head);
    focusOn(tab.path, name ?? "");
  }
}

/** Opens the documents of the tabs that the last visit left. */
async function restoreTabs(): Promise<void> {
  for (const [g, group] of [...layout.get().groups.entries()].reverse()) {
    for (const [i, tab] of [...group.tabs.entries()].reverse()) {
      if (!("path" in tab) || !tab.path.endsWith(".mo")) continue;
      if (!(await openDocument(tab.path))) closeTab(g, i);
      else if (tab.kind === "diagram" && i === group.active) expectScene(tab.path, tab.class);
    }
  }
  followTab();
}

/** To be called once, when the language service is connected. */
export function followDocuments(): void {
  documents.subscribe(() => {
    for (const { path, uri, version } of Object.values(documents.get().open)) {
      if (seen.get(path) === version || !path.endsWith(".mo")) continue;
      seen.set(path, version);
      refresh(path, uri);
    }
  });
  layout.subscribe(followTab);
  void restoreTabs();
}
