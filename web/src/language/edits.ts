// Edits of text that the language service answers, applied as transactions of the
// editors: text and diagram share one history a document.
import { isolateHistory } from "@codemirror/commands";
import { Annotation } from "@codemirror/state";
import type { ChangeSpec, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: {
    textDocument: { uri: string; version: number | null };
    edits: TextEdit[];
  }[];
}

/** Marks a transaction that a gesture of the diagram or the inspector made. */
export const gesture = Annotation.define<string>();

export function offsetOf(text: Text, position: Position): number {
  const line = text.line(Math.min(position.line + 1, text.lines));
  return Math.min(line.from + position.character, line.to);
}

export function positionOf(text: Text, offset: number): Position {
  const line = text.lineAt(Math.min(offset, text.length));
  return { line: line.number - 1, character: offset - line.from };
}

/** The edits of `edit`, a list for each document. */
export function editsByFile(edit: WorkspaceEdit): Map<string, TextEdit[]> {
  const files = new Map<string, TextEdit[]>(Object.entries(edit.changes ?? {}));
  for (const { textDocument, edits } of edit.documentChanges ?? []) {
    files.set(textDocument.uri, [...(files.get(textDocument.uri) ?? []), ...edits]);
  }
  return files;
}

/** Applies edits as one step of the history; the caret stays at its text. */
export function applyEdits(
  view: EditorView, edits: TextEdit[], what: string,
): void {
  const changes: ChangeSpec[] = edits.map((edit) => ({
    from: offsetOf(view.state.doc, edit.range.start),
    to: offsetOf(view.state.doc, edit.range.end),
    insert: edit.newText,
  }));
  view.dispatch({
    changes,
    annotations: [isolateHistory.of("full"), gesture.of(what)],
    userEvent: `input.${what}`,
  });
}
