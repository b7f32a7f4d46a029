// The classes that a document declares, by the outline of the language service.
import { inquire } from "../language/client";
import { offsetOf } from "../language/edits";
import type { Range } from "../language/edits";
import { viewOf } from "./documents";
import { createStore } from "./store";

interface DocumentSymbol {
  name: string;
  detail?: string;
  kind: number;
  range: Range;
  selectionRange: Range;
  children?: DocumentSymbol[];
}

export interface ClassEntry {
  /** The full name, with its packages. */
  name: string;
  /** As LSP counts kinds of symbols. */
  kind: number;
  from: number;
  to: number;
  /** Where its declaration has its name. */
  named: number;
}

export const outlines = createStore<{ of: Record<string, ClassEntry[]> }>({
  of: {},
});

// Kinds of LSP that stand for classes: module, namespace, package, class,
// interface, function, struct.
const classKinds = new Set([2, 3, 4, 5, 11, 12, 23]);
const packageKinds = new Set([2, 3, 4]);
const functionKind = 12;

/** Asks for the outline of a document anew. */
export async function refreshOutline(path: string, uri: string): Promise<void> {
  const view = viewOf(path);
  if (!view) return;
  const text = view.state.doc;
  const symbols = await inquire<unknown, DocumentSymbol[] | null>(
    "textDocument/documentSymbol", { textDocument: { uri } });
  const found: ClassEntry[] = [];
  const within = /^\s*within\s+([\w.]+)\s*;/m.exec(text.sliceString(0, 2000));
  const visit = (list: DocumentSymbol[], prefix: string) => {
    for (const symbol of list) {
      if (!classKinds.has(symbol.kind)) continue;
      const name = prefix ? `${prefix}.${symbol.name}` : symbol.name;
      found.push({
        name,
        kind: symbol.kind,
        from: offsetOf(text, symbol.range.start),
        to: offsetOf(text, symbol.range.end),
        named: offsetOf(text, symbol.selectionRange.start),
      });
      visit(symbol.children ?? [], name);
    }
  };
  visit(symbols ?? [], within?.[1] ?? "");
  outlines.update(({ of }) => ({ of: { ...of, [path]: found } }));
}

/** The innermost class at an offset of a document. */
export function classAt(path: string, offset: number): string | undefined {
  let innermost: ClassEntry | undefined;
  for (const entry of outlines.get().of[path] ?? []) {
    if (entry.from <= offset && offset <= entry.to) innermost = entry;
  }
  return innermost?.name;
}

/** The class whose declaration has its name at an offset of a document. */
export function classAtName(path: string, offset: number): string | undefined {
  return outlines.get().of[path]?.find((entry) => entry.named === offset)?.name;
}

/**
 * The class that a document is about: its last one that is no package, and no part
 * of another model; a function only if there is nothing else.
 */
export function mainOf(entries: ClassEntry[]): string | undefined {
  const models = entries.filter((e) => !packageKinds.has(e.kind)
    && !entries.some((around) => !packageKinds.has(around.kind)
      && e.name.startsWith(`${around.name}.`)));
  const found = models.filter((e) => e.kind !== functionKind).pop() ?? models.pop();
  return (found ?? entries[entries.length - 1])?.name;
}

export function mainClass(path: string): string | undefined {
  return mainOf(outlines.get().of[path] ?? []);
}
