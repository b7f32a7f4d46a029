// Colours of Modelica's text: a tokenizer of lines, which keeps only whether a
// comment or a string goes on.
import {
  HighlightStyle, LanguageSupport, StreamLanguage, foldService,
  syntaxHighlighting,
} from "@codemirror/language";
import type { StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { insideParentheses } from "./annotations";

/** The reserved words of the language. */
export const keywords = new Set(("algorithm and annotation block break class connect " +
  "connector constant constrainedby der discrete each else elseif elsewhen " +
  "encapsulated end enumeration equation expandable extends external false " +
  "final flow for function if import impure in initial inner input loop model " +
  "not operator or outer output package parameter partial protected public pure " +
  "record redeclare replaceable return stream then true type when while " +
  "within").split(" "));
const types = new Set(["Real", "Integer", "Boolean", "String", "Clock",
  "StateSelect", "ExternalObject"]);
const literals = new Set(["true", "false"]);

interface State {
  inside: "code" | "comment" | "string";
}

function readComment(stream: StringStream, state: State): string {
  while (!stream.eol()) {
    if (stream.match("*/")) {
      state.inside = "code";
      break;
    }
    stream.next();
  }
  return "comment";
}

function readString(stream: StringStream, state: State): string {
  while (!stream.eol()) {
    const letter = stream.next();
    if (letter === "\\") {
      stream.next();
    } else if (letter === '"') {
      state.inside = "code";
      break;
    }
  }
  return "string";
}

function readToken(stream: StringStream, state: State): string | null {
  if (state.inside === "comment") return readComment(stream, state);
  if (state.inside === "string") return readString(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.inside = "comment";
    return readComment(stream, state);
  }
  if (stream.eat('"')) {
    state.inside = "string";
    return readString(stream, state);
  }
  if (stream.match(/^'(?:[^'\\]|\\.)*'/)) return "variableName";
  if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/)) return "number";
  const word = stream.match(/^[A-Za-z_][A-Za-z0-9_]*/);
  if (Array.isArray(word)) {
    const name = word[0] ?? "";
    if (literals.has(name)) return "atom";
    if (keywords.has(name)) return "keyword";
    if (types.has(name)) return "typeName";
    return /^[A-Z]/.test(name) && stream.peek() !== "(" ? "className"
      : "variableName";
  }
  stream.next();
  return "operator";
}

const language = StreamLanguage.define<State>({
  name: "modelica",
  startState: () => ({ inside: "code" }),
  copyState: (state) => ({ ...state }),
  token: readToken,
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
  },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.atom, color: "var(--code-number)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.className, color: "var(--code-type)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.variableName, color: "var(--code-name)" },
]);

/** Annotations fold to their parentheses: most say where a picture stands. */
const foldAnnotations = foldService.of((state, start, end) => {
  const line = state.doc.sliceString(start, end);
  const found = /\bannotation\s*\(/.exec(line);
  if (!found) return null;
  const from = start + found.index + found[0].length;
  const inside = insideParentheses(state.doc.sliceString(start), from - start);
  return inside && inside.to > inside.from + 24
    ? { from, to: start + inside.to } : null;
});

export function modelica(): LanguageSupport {
  return new LanguageSupport(language,
    [syntaxHighlighting(colours), foldAnnotations]);
}
