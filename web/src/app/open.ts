// Opens models: text at the left, diagram beside it.
import { focusOn } from "../state/focus";
import { mainClass, refreshOutline } from "../state/classes";
import { openDocument, viewOf } from "../state/documents";
import { activeTab, layout, openTab, openTabBeside } from "../state/layout";
import { notify, notifyError } from "../state/notices";
import { leave } from "../state/trail";
import { pathOf, uriOf } from "../state/session";
import { isFmu } from "../fmu/description";
import { inquire } from "../language/client";
import { offsetOf, positionOf } from "../language/edits";
import type { Range } from "../language/edits";
import type { Description } from "../language/protocol";
import { jumpTo } from "../editor/shown_range";

/** Opens a file of the folder; a Modelica file with the diagram of its model. */
export async function openFile(path: string): Promise<void> {
  if (isFmu(path)) {
    leave();
    openTab({ kind: "fmu", path }, 0);
    focusOn(path, "");
    return;
  }
  const view = await openDocument(path);
  if (!view) return;
  leave();
  openTab({ kind: "text", path }, 0);
  if (path.endsWith(".json")) openTab({ kind: "plan", path }, 1);
  if (!path.endsWith(".mo")) return;
  await refreshOutline(path, uriOf(path)).catch((reason: unknown) =>
    notifyError(`read the outline of ${path}`, reason));
  const name = mainClass(path);
  focusOn(path, name ?? "");
  if (name) showDiagramBeside(path, name);
}

/** The group of diagrams: the one that has some, else a new one at the right. */
function groupOfDiagrams(): number {
  const { groups } = layout.get();
  const beside = groups.findIndex((group) =>
    group.tabs.some((tab) => tab.kind === "diagram"));
  return beside >= 0 ? beside : Math.max(1, groups.length);
}

/** Turns to the diagram of a class. */
export function showDiagram(path: string, name: string): void {
  openTab({ kind: "diagram", path, class: name }, groupOfDiagrams());
}

/** Shows the diagram of a class while its text stays in use. */
function showDiagramBeside(path: string, name: string): void {
  openTabBeside({ kind: "diagram", path, class: name }, groupOfDiagrams());
}

/** Opens a class by its full name, wherever it is declared. */
export async function openClass(name: string): Promise<void> {
  try {
    const found = await inquire<unknown, Description>("orrery/describe",
      { class: name });
    if (!found.uri) {
      openTab({ kind: "documentation", class: name });
      return;
    }
    const path = pathOf(found.uri);
    const view = await openDocument(path);
    if (!view) return;
    const show = activeTab(layout.get())?.kind === "diagram" ? showDiagram
      : showDiagramBeside;
    leave();
    openTab({ kind: "text", path }, 0);
    if (found.span) jumpTo(view, found.span[0]);
    await refreshOutline(path, found.uri);
    focusOn(path, name);
    show(path, name);
  } catch (reason) {
    notifyError(`open ${name}`, reason);
  }
}

interface Location {
  uri: string;
  range: Range;
}

/** Goes to what declares the name at the caret of an open text. */
export async function goToDefinition(path: string): Promise<void> {
  const view = viewOf(path);
  if (!view || !path.endsWith(".mo")) return;
  try {
    const found = await inquire<unknown, Location | null>("textDocument/definition", {
      textDocument: { uri: uriOf(path) },
      position: positionOf(view.state.doc, view.state.selection.main.head),
    });
    if (!found) {
      notify("info", "No declaration of this is known");
      return;
    }
    const target = await openDocument(pathOf(found.uri));
    if (!target) return;
    leave();
    openTab({ kind: "text", path: pathOf(found.uri) });
    jumpTo(target, offsetOf(target.state.doc, found.range.start));
  } catch (reason) {
    notifyError("go to the definition", reason);
  }
}
