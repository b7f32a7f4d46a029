// Alt+Enter: applies the mend that the language service offers at the caret.
import type { Extension } from "@codemirror/state";
import { showDialog, keymap } from "@codemirror/view";
import type { EditorView } from "@codemirror/view";
import { inquire } from "../language/client";
import { applyEdits, editsByFile, positionOf } from "../language/edits";
import type { WorkspaceEdit } from "../language/edits";

interface CodeAction {
  title: string;
  kind?: string;
  edit?: WorkspaceEdit;
}

async function mendAt(view: EditorView, uri: string): Promise<void> {
  const { from, to } = view.state.selection.main;
  const line = view.state.doc.lineAt(from);
  const ask = (start: number, end: number) =>
    inquire<unknown, CodeAction[] | null>("textDocument/codeAction", {
      textDocument: { uri },
      range: {
        start: positionOf(view.state.doc, start),
        end: positionOf(view.state.doc, end),
      },
      context: { diagnostics: [], only: ["quickfix"] },
    });
  let actions = await ask(from, to);
  if (!actions?.length) actions = await ask(line.from, line.to);
  const action = actions?.find((candidate) => candidate.edit);
  const edits = action?.edit && editsByFile(action.edit).get(uri);
  if (edits) {
    applyEdits(view, edits, "mend");
  } else {
    showDialog(view, { label: "There is no mend for this line.", top: true });
  }
}

export function mends(uri: string): Extension {
  return keymap.of([{
    key: "Alt-Enter",
    preventDefault: true,
    run(view) {
      void mendAt(view, uri).catch(() => undefined);
      return true;
    },
  }]);
}
