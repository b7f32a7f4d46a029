// A range of the text that is tinted: the declaration of what is selected in the
// diagram, or the source of an equation.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";

const setRanges = StateEffect.define<{ from: number; to: number }[]>();
const tint = Decoration.mark({ class: "cm-shownRange" });

export const shownRange = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(ranges, transaction) {
    let shown = ranges.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setRanges)) continue;
      shown = Decoration.set(
        effect.value.filter((r) => r.from < r.to)
          .map((r) => tint.range(r.from, r.to)), true);
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Tints ranges of the text, and brings the first into view. */
export function showRanges(
  view: EditorView, ranges: { from: number; to: number }[], scroll: boolean,
): void {
  const length = view.state.doc.length;
  const inside = ranges.map(({ from, to }) => ({
    from: Math.min(from, length), to: Math.min(to, length),
  }));
  const first = inside[0];
  view.dispatch({
    effects: first && scroll
      ? [setRanges.of(inside), EditorView.scrollIntoView(first.from, { y: "center" })]
      : [setRanges.of(inside)],
  });
}

/** Puts the caret at an offset, in view and focused. */
export function jumpTo(view: EditorView, offset: number): void {
  const at = Math.min(offset, view.state.doc.length);
  view.dispatch({
    selection: { anchor: at },
    effects: EditorView.scrollIntoView(at, { y: "center" }),
  });
  view.focus();
}
