// Completion by the language service. It may replace letters behind the caret, too:
// the whole word. What is typed before the caret alone says which items fit.
import { autocompletion, insertCompletionText, pickedCompletion } from "@codemirror/autocomplete";
import type { Completion, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import { serverCompletionSource } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import type { Extension } from "@codemirror/state";

/** The item, which takes away `rest` behind what it replaces. */
function withRest(item: Completion, rest: string): Completion {
  const { apply } = item;
  return {
    ...item,
    apply(view: EditorView, picked: Completion, from: number, to: number) {
      const isThere = view.state.sliceDoc(to, to + rest.length) === rest;
      const end = isThere ? to + rest.length : to;
      if (typeof apply === "function") {
        apply(view, picked, from, end);
        return;
      }
      view.dispatch({
        ...insertCompletionText(view.state, apply ?? picked.label, from, end),
        annotations: pickedCompletion.of(picked),
      });
    },
  };
}

const wholeWords: CompletionSource = async (context) => {
  const result: CompletionResult | null = await serverCompletionSource(context);
  if (!result?.to || result.to <= context.pos) return result;
  const rest = context.state.sliceDoc(context.pos, result.to);
  return {
    ...result, to: context.pos,
    options: result.options.map((item) => withRest(item, rest)),
  };
};

export function completion(): Extension {
  return autocompletion({ override: [wholeWords] });
}
