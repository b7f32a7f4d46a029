// Where annotations stand in a text, and which of them are pictures only.
import { foldEffect, foldedRanges } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";
import type { Text } from "@codemirror/state";

export interface Range {
  from: number;
  to: number;
}

/** An annotation longer than this does not end in a text that is being typed. */
const longest = 200_000;

/** The inside of the parentheses that open before `from`; null if they stay open. */
export function insideParentheses(text: string, from: number): Range | null {
  let depth = 1;
  let quoted = false;
  const end = Math.min(text.length, from + longest);
  for (let i = from; i < end; ++i) {
    const letter = text[i];
    if (quoted) {
      if (letter === "\\") ++i;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "(") ++depth;
    else if (letter === ")" && --depth === 0) return { from, to: i };
  }
  return null;
}

const graphical = /\b(?:Placement|Line|Icon|Diagram|Documentation)\s*\(/;

/** The insides of annotations that hold pictures, places or documentation. */
export function graphicalAnnotations(doc: Text): Range[] {
  const text = doc.toString();
  const found: Range[] = [];
  for (const { 0: word, index } of text.matchAll(/\bannotation\s*\(/g)) {
    const inside = insideParentheses(text, index + word.length);
    if (inside && graphical.test(text.slice(inside.from, inside.to))) found.push(inside);
  }
  return found;
}

/** Folds what only the diagram needs; what the user has unfolded around stays. */
export function foldGraphics(view: EditorView): void {
  const folded = new Set<number>();
  foldedRanges(view.state).between(0, view.state.doc.length, (from) => {
    folded.add(from);
  });
  const effects = graphicalAnnotations(view.state.doc)
    .filter(({ from }) => !folded.has(from)).map((range) => foldEffect.of(range));
  if (effects.length > 0) view.dispatch({ effects });
}
