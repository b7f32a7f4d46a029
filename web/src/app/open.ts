// Opens models: text at the left, diagram beside it.
import { focusOn } from "../state/focus";
import { mainClass, refreshOutline } from "../state/classes";
import { openDocument } from "../state/documents";
import { layout, openTab } from "../state/layout";
import { notifyError } from "../state/notices";
import { pathOf, uriOf } from "../state/session";
import { inquire } from "../language/client";
import type { Description } from "../language/protocol";
import { jumpTo } from "../editor/shown_range";

/** Opens a file of the folder; a Modelica file with the diagram of its model. */
export async function openFile(path: string): Promise<void> {
  const view = await openDocument(path);
  if (!view) return;
  openTab({ kind: "text", path }, 0);
  if (path.endsWith(".json")) openTab({ kind: "plan", path }, 1);
  if (!path.endsWith(".mo")) return;
  await refreshOutline(path, uriOf(path)).catch((reason: unknown) =>
    notifyError(`read the outline of ${path}`, reason));
  const name = mainClass(path);
  focusOn(path, name ?? "");
  if (name) showDiagram(path, name);
}

/** Shows the diagram of a class beside its text. */
export function showDiagram(path: string, name: string): void {
  const { groups } = layout.get();
  const beside = groups.findIndex((group) =>
    group.tabs.some((tab) => tab.kind === "diagram"));
  openTab({ kind: "diagram", path, class: name },
    beside >= 0 ? beside : Math.max(1, groups.length));
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
    openTab({ kind: "text", path }, 0);
    if (found.span) jumpTo(view, found.span[0]);
    await refreshOutline(path, found.uri);
    focusOn(path, name);
    showDiagram(path, name);
  } catch (reason) {
    notifyError(`open ${name}`, reason);
  }
}
