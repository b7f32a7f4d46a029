// Renames what a text declares, wherever it is used: a component, a class with its
// file, a package with its folder.
import { showDialog } from "@codemirror/view";
import type { EditorView } from "@codemirror/view";
import { inquire } from "../language/client";
import { offsetOf, positionOf } from "../language/edits";
import type { Position, Range, WorkspaceEdit } from "../language/edits";
import { classAtName, refreshOutline } from "../state/classes";
import { openDocument, viewOf } from "../state/documents";
import { notifyError } from "../state/notices";
import { pathOf, uriOf } from "../state/session";
import { applyToAll } from "../state/steps";

interface Place {
  textDocument: { uri: string };
  position: Position;
}

/** The full name of the class that a place names, if it names one. */
async function classNamed(place: Place): Promise<string | undefined> {
  const found = await inquire<Place, { uri: string; range: Range } | null>(
    "textDocument/definition", place);
  if (!found) return undefined;
  const path = pathOf(found.uri);
  const view = await openDocument(path);
  if (!view) return undefined;
  await refreshOutline(path, found.uri);
  return classAtName(path, offsetOf(view.state.doc, found.range.start));
}

async function rename(place: Place, from: string, to: string): Promise<void> {
  try {
    const name = await classNamed(place);
    const answer = await inquire<unknown, WorkspaceEdit | null>("textDocument/rename",
      { ...place, newName: to });
    if (!answer) return;
    const around = name?.slice(0, name.lastIndexOf(".") + 1) ?? "";
    await applyToAll(answer, `rename ${from} to ${to}`, {
      classes: name ? [{ from: name, to: around + to }] : [], saves: true,
    });
  } catch (reason) {
    notifyError(`rename ${from}`, reason);
  }
}

/** Asks for the new name of what stands at the caret. */
function askForName(view: EditorView, place: Place, from: string): void {
  const { close, result } = showDialog(view, {
    label: `New name of ${from}`,
    input: { name: "name", value: from, spellcheck: "false" },
    focus: "input[name=name]", submitLabel: "Rename", top: true,
  });
  void result.then((form) => {
    view.dispatch({ effects: close });
    view.focus();
    const to = (form?.elements.namedItem("name") as HTMLInputElement | null)?.value.trim();
    if (to && to !== from) void rename(place, from, to);
  });
}

export async function renameAtCaret(path: string): Promise<void> {
  const view = viewOf(path);
  if (!view || !path.endsWith(".mo")) return;
  const place = {
    textDocument: { uri: uriOf(path) },
    position: positionOf(view.state.doc, view.state.selection.main.head),
  };
  try {
    const { placeholder } = await inquire<Place, { placeholder: string }>(
      "textDocument/prepareRename", place);
    askForName(view, place, placeholder);
  } catch (reason) {
    notifyError("rename this", reason);
  }
}
