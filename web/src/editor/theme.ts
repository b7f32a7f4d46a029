// The look of editors, by the page's CSS variables.
import { EditorView } from "@codemirror/view";

export const editorTheme = EditorView.theme({
  "&": {
    height: "100%", fontSize: "13px", color: "var(--ink)",
    backgroundColor: "var(--surface)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)", color: "var(--ink-faint)",
    border: "none", paddingRight: "4px",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selected)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 9%, transparent)" },
  ".cm-shownRange": { backgroundColor: "color-mix(in srgb, var(--accent) 10%, transparent)" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)", border: "1px solid var(--edge)",
    color: "var(--ink-soft)", padding: "0 6px", borderRadius: "4px",
  },
  ".cm-panels": {
    backgroundColor: "var(--raised)", color: "var(--ink)",
    borderColor: "var(--edge) !important",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)", color: "var(--ink)",
    border: "1px solid var(--edge)", borderRadius: "6px",
    boxShadow: "var(--shadow)", maxWidth: "520px",
  },
  ".cm-tooltip-hover": { padding: "4px 2px" },
  ".cm-lsp-documentation": { fontFamily: "var(--sans)", fontSize: "12.5px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)", maxHeight: "16em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--accent)", color: "var(--on-accent)",
  },
  ".cm-completionDetail": { color: "inherit", opacity: "0.72", marginLeft: "1em" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeftWidth: "3px" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)", color: "var(--on-accent)",
    borderRadius: "4px", padding: "2px 8px",
  },
  ".cm-textfield": {
    backgroundColor: "var(--surface)", border: "1px solid var(--edge-strong)",
    borderRadius: "4px", color: "var(--ink)",
  },
  ".cm-button": {
    backgroundImage: "none", backgroundColor: "var(--sunken)",
    border: "1px solid var(--edge)", borderRadius: "4px", color: "var(--ink)",
  },
});
