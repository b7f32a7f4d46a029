// Makes the editor of a document.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit,
} from "@codemirror/language";
import { diagnosticCount, forEachDiagnostic, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, Transaction } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import {
  EditorView, crosshairCursor, drawSelection, dropCursor, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { foldGraphics } from "../language/annotations";
import { languageService } from "../language/client";
import { modelica } from "../language/modelica_mode";
import { mends } from "./mends";
import { shownRange } from "./shown_range";
import { editorTheme } from "./theme";

/** Where a document is stored. */
export interface Storage {
  path: string;
  uri: string;
}

interface EditorOptions extends Storage {
  text: string;
  readonly: boolean;
  /** Whether another page edits it. */
  follows: boolean;
  onChange: () => void;
  onUndo: () => void;
  onRedo: () => void;
  onMarks: (errors: number, warnings: number) => void;
}

/** Keys of the page that an editor does not take for itself. */
const page_keys = new Set(["Alt-ArrowLeft", "Alt-ArrowRight"]);

/** The nonce under which style elements may be added to the page. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
    ?.nonce ?? "";
}

/** The line separator of a text that has one only. */
function separatorOf(text: string): string {
  const returns = text.split("\r\n").length - 1;
  return returns > 0 && returns === text.split("\n").length - 1 ? "\r\n" : "\n";
}

function command(act: () => void): () => boolean {
  return () => {
    act();
    return true;
  };
}

const stored = new Compartment();

/** What of an editor depends on where its document is stored. */
function storedAt({ path, uri }: Storage): Extension {
  return [
    path.endsWith(".mo") ? [languageService().plugin(uri, "modelica"), mends(uri)] : [],
    EditorView.contentAttributes.of({ "aria-label": `Text of ${path}`, tabindex: "0" }),
  ];
}

/** Tells an editor that its document is stored elsewhere; its history stays. */
export function moveEditor(view: EditorView, to: Storage): void {
  view.dispatch({ effects: stored.reconfigure(storedAt(to)) });
}

const writing = new Compartment();
const followed = Annotation.define<boolean>();

function writableIn(
  { readonly, follows }: Pick<EditorOptions, "readonly" | "follows">,
): Extension {
  return [
    EditorState.readOnly.of(readonly || follows),
    // Nor may a gesture, a mend or a step back change it.
    follows ? EditorState.changeFilter.of((step) => step.annotation(followed) ?? false) : [],
  ];
}

/** Says whether another page edits the document. */
export function setFollowing(view: EditorView, follows: boolean): void {
  view.dispatch({
    effects: writing.reconfigure(writableIn({ readonly: false, follows })),
  });
}

/** Shows the text that another page has; what is equal keeps caret and folds. */
export function showText(view: EditorView, text: string): void {
  const wanted = view.state.toText(text);
  const [old, next] = [view.state.doc.toString(), wanted.toString()];
  if (old === next) return;
  const most = Math.min(old.length, next.length);
  let from = 0;
  while (from < most && old[from] === next[from]) ++from;
  let behind = 0;
  while (behind < most - from && old.at(-1 - behind) === next.at(-1 - behind)) ++behind;
  view.dispatch({
    changes: {
      from, to: old.length - behind, insert: wanted.slice(from, next.length - behind),
    },
    annotations: [followed.of(true), Transaction.addToHistory.of(false)],
  });
}

/**
 * Reports a fault of an extension. Answers of the language service are none: a
 * tip for a file that was renamed meanwhile just does not come.
 */
function told(reason: unknown): void {
  const { code } = (reason ?? {}) as { code?: unknown };
  if (typeof code !== "number") console.error(reason);
}

export function createEditor(options: EditorOptions): EditorView {
  const isModelica = options.path.endsWith(".mo");
  const view = new EditorView({
    doc: options.text,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      EditorView.exceptionSink.of(told),
      EditorState.lineSeparator.of(separatorOf(options.text)),
      writing.of(writableIn(options)),
      EditorState.allowMultipleSelections.of(true),
      lineNumbers(), foldGutter(), codeFolding({ placeholderText: "…" }),
      highlightSpecialChars(), history(), drawSelection(), dropCursor(),
      indentOnInput(), indentUnit.of("  "), bracketMatching(), closeBrackets(),
      rectangularSelection(), crosshairCursor(), highlightActiveLine(),
      highlightActiveLineGutter(), highlightSelectionMatches(), lintGutter(),
      keymap.of([
        { key: "Mod-z", run: command(options.onUndo), preventDefault: true },
        { key: "Mod-y", run: command(options.onRedo), preventDefault: true },
        { key: "Mod-Shift-z", run: command(options.onRedo), preventDefault: true },
        ...closeBracketsKeymap,
        ...defaultKeymap.filter(({ key }) => !page_keys.has(key ?? "")), ...searchKeymap,
        ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
        indentWithTab,
      ]),
      editorTheme,
      isModelica ? [modelica(), shownRange] : [],
      stored.of(storedAt(options)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) options.onChange();
        if (diagnosticCount(update.state) !== diagnosticCount(update.startState)
            || update.transactions.some((t) => t.effects.length > 0)) {
          count(update.state, options.onMarks);
        }
      }),
    ],
  });
  if (isModelica) foldGraphics(view);
  return view;
}

function count(state: EditorState, tell: EditorOptions["onMarks"]): void {
  let errors = 0;
  let warnings = 0;
  forEachDiagnostic(state, ({ severity }) => {
    if (severity === "error") ++errors;
    else if (severity === "warning") ++warnings;
  });
  tell(errors, warnings);
}
