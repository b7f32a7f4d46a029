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

interface FileEdits {
  textDocument: { uri: string; version: number | null };
  edits: TextEdit[];
}

/** A file or a folder gets another name. */
export interface FileMove {
  kind: "rename";
  oldUri: string;
  newUri: string;
}

export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: (FileEdits | FileMove)[];
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
  for (const change of edit.documentChanges ?? []) {
    if ("kind" in change) continue;
    const { textDocument, edits } = change;
    files.set(textDocument.uri, [...(files.get(textDocument.uri) ?? []), ...edits]);
  }
  return files;
}

export function movesOf(edit: WorkspaceEdit): FileMove[] {
  return (edit.documentChanges ?? []).filter((change) => "kind" in change);
}

export function changesOf(text: Text, edits: TextEdit[]): ChangeSpec[] {
  return edits.map((edit) => ({
    from: offsetOf(text, edit.range.start),
    to: offsetOf(text, edit.range.end),
    insert: edit.newText,
  }));
}

/** Applies changes as one step of the history; the caret stays at its text. */
export function applyChanges(view: EditorView, changes: ChangeSpec, what: string): void {
  view.dispatch({
    changes,
    annotations: [isolateHistory.of("full"), gesture.of(what)],
    userEvent: `input.${what}`,
  });
}

export function applyEdits(view: EditorView, edits: TextEdit[], what: string): void {
  applyChanges(view, changesOf(view.state.doc, edits), what);
}
