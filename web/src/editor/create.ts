// Makes the editor of a document.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit,
} from "@codemirror/language";
import { diagnosticCount, forEachDiagnostic, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
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

interface EditorOptions {
  path: string;
  uri: string;
  text: string;
  readonly: boolean;
  onChange: () => void;
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

export function createEditor(options: EditorOptions): EditorView {
  const isModelica = options.path.endsWith(".mo");
  const view = new EditorView({
    doc: options.text,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      EditorState.lineSeparator.of(separatorOf(options.text)),
      EditorState.readOnly.of(options.readonly),
      EditorState.allowMultipleSelections.of(true),
      lineNumbers(), foldGutter(), codeFolding({ placeholderText: "…" }),
      highlightSpecialChars(), history(), drawSelection(), dropCursor(),
      indentOnInput(), indentUnit.of("  "), bracketMatching(), closeBrackets(),
      rectangularSelection(), crosshairCursor(), highlightActiveLine(),
      highlightActiveLineGutter(), highlightSelectionMatches(), lintGutter(),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap.filter(({ key }) => !page_keys.has(key ?? "")), ...searchKeymap,
        ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
        indentWithTab,
      ]),
      editorTheme,
      isModelica ? [
        modelica(), languageService().plugin(options.uri, "modelica"),
        mends(options.uri), shownRange,
      ] : [],
      EditorView.contentAttributes.of({
        "aria-label": `Text of ${options.path}`, tabindex: "0",
      }),
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
