// The open documents. Each has one editor view that lives until the document is
// closed, shown or not: the view's state is the truth for text, diagram and undo.
import type { EditorView } from "@codemirror/view";
import { ApiError, ask, getJson, withQuery } from "../api/client";
import { onNews } from "../api/events";
import { createEditor, moveEditor } from "../editor/create";
import type { Storage } from "../editor/create";
import { syncSoon } from "../language/client";
import { notify, notifyError } from "./notices";
import { redoIn, undoIn } from "./steps";
import { openTab } from "./layout";
import { pathOf, uriOf } from "./session";
import { createStore } from "./store";

export interface DocumentInfo {
  path: string;
  uri: string;
  readonly: boolean;
  dirty: boolean;
  /** Counts changes of the text. */
  version: number;
  errors: number;
  warnings: number;
  /** The text on disk, if it changed while this one was edited. */
  conflict: { text: string; etag: string } | null;
  /** A text that was typed but not saved before the page or the studio ended. */
  draft: string | null;
}

export const documents = createStore<{ open: Record<string, DocumentInfo> }>({
  open: {},
});

interface Kept {
  view: EditorView;
  /** Where it is stored now. */
  storage: Storage;
  /** A byte order mark, which is kept outside of the editor. */
  mark: string;
  saved: string;
  etag: string;
  draft: ReturnType<typeof setTimeout> | undefined;
}

const kept = new Map<string, Kept>();
const opening = new Map<string, Promise<EditorView | null>>();

export function viewOf(path: string): EditorView | undefined {
  return kept.get(path)?.view;
}

export function inform(path: string, part: Partial<DocumentInfo>): void {
  documents.update((value) => {
    const known = value.open[path];
    return known ? { open: { ...value.open, [path]: { ...known, ...part } } } : value;
  });
}

const byte_order_mark = "\ufeff";

async function read(
  path: string,
): Promise<{ text: string; mark: string; etag: string }> {
  // Absolute paths are those of libraries, which are read only.
  const route = path.startsWith("/") ? "/api/library" : "/api/file";
  const answer = await ask(withQuery(route, { path }));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const whole = decoder.decode(await answer.arrayBuffer());
  const mark = whole.startsWith(byte_order_mark) ? byte_order_mark : "";
  return {
    text: whole.slice(mark.length), mark,
    etag: answer.headers.get("ETag") ?? "",
  };
}

/** The text of an editor with the line ends that its file has. */
function textOf(view: EditorView): string {
  return view.state.sliceDoc();
}

/** Opens a document, if it is not open, and answers its editor. */
export function openDocument(path: string): Promise<EditorView | null> {
  const known = kept.get(path);
  if (known) return Promise.resolve(known.view);
  const pending = opening.get(path) ?? load(path).finally(() => opening.delete(path));
  opening.set(path, pending);
  return pending;
}

async function load(path: string): Promise<EditorView | null> {
  try {
    const { text, mark, etag } = await read(path);
    const readonly = path.startsWith("/");
    const uri = uriOf(path);
    const storage = { path, uri };
    const view = createEditor({
      path, uri, text, readonly,
      onChange: () => changed(storage.path),
      onUndo: () => undoIn(storage.path),
      onRedo: () => redoIn(storage.path),
      onMarks: (errors, warnings) => inform(storage.path, { errors, warnings }),
    });
    kept.set(path, { view, storage, mark, saved: text, etag, draft: undefined });
    documents.update(({ open }) => ({
      open: {
        ...open,
        [path]: {
          path, uri, readonly, dirty: false, version: 1, errors: 0, warnings: 0,
          conflict: null, draft: drafts.get(path) ?? null,
        },
      },
    }));
    return view;
  } catch (reason) {
    notifyError(`open ${path}`, reason);
    return null;
  }
}

function changed(path: string): void {
  const document = kept.get(path);
  const info = documents.get().open[path];
  if (!document || !info) return;
  const text = textOf(document.view);
  const dirty = text !== document.saved;
  inform(path, { dirty, version: info.version + 1 });
  void syncSoon();
  clearTimeout(document.draft);
  document.draft = setTimeout(() => {
    if (!dirty) {
      dropDraft(path);
      return;
    }
    void ask(withQuery("/api/draft", { path }), {
      method: "PUT", text, headers: { "If-Match": document.etag },
    }).catch(() => undefined);
  }, 1000);
}

const drafts = new Map<string, string>();

/** Learns which unsaved texts an earlier page has left; to be called once. */
export async function loadDrafts(): Promise<void> {
  const { items } = await getJson<{ items: { path: string; text: string }[] }>(
    "/api/drafts").catch(() => ({ items: [] }));
  for (const { path, text } of items) drafts.set(path, text);
}

/** Takes the text that an earlier page has left, or gives it up. */
export function settleDraft(path: string, take: boolean): void {
  const document = kept.get(path);
  const draft = documents.get().open[path]?.draft;
  drafts.delete(path);
  inform(path, { draft: null });
  if (take && document && draft) replaceText(document.view, draft);
  else dropDraft(path);
}

function dropDraft(path: string): void {
  void ask(withQuery("/api/draft", { path }), { method: "DELETE" })
    .catch(() => undefined);
}

/** Writes a document to disk; a change of others is shown, never overwritten. */
export async function saveDocument(path: string): Promise<boolean> {
  const document = kept.get(path);
  if (!document || documents.get().open[path]?.readonly) return false;
  const text = textOf(document.view);
  if (text === document.saved) return true;
  clearTimeout(document.draft);
  try {
    const answer = await ask(withQuery("/api/file", { path }), {
      method: "PUT", text: document.mark + text,
      headers: { "If-Match": document.etag },
    });
    document.etag = answer.headers.get("ETag") ?? document.etag;
    document.saved = text;
    inform(path, {
      dirty: textOf(document.view) !== text, conflict: null,
    });
    return true;
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 412) {
      await lookAtDisk(path);
      notify("bad", `${path} was not saved: it changed on disk meanwhile`,
        "Compare both texts in the bar above the editor.");
    } else {
      notifyError(`save ${path}`, reason);
    }
    return false;
  }
}

/** Saves all changed documents; false if one could not be saved. */
export async function saveAll(): Promise<boolean> {
  const dirty = Object.values(documents.get().open).filter((d) => d.dirty);
  const saved = await Promise.all(dirty.map((d) => saveDocument(d.path)));
  return saved.every(Boolean);
}

export function closeDocument(path: string): void {
  const document = kept.get(path);
  if (!document) return;
  clearTimeout(document.draft);
  document.view.destroy();
  kept.delete(path);
  documents.update(({ open }) => {
    const { [path]: _closed, ...others } = open;
    return { open: others };
  });
}

/** Follows a file, or all of a folder, that has another name now. */
export function moveDocuments(from: string, to: string): void {
  for (const [path, document] of [...kept]) {
    if (path !== from && !path.startsWith(`${from}/`)) continue;
    const moved = to + path.slice(from.length);
    kept.delete(path);
    kept.set(moved, document);
    Object.assign(document.storage, { path: moved, uri: uriOf(moved) });
    moveEditor(document.view, document.storage);
    documents.update(({ open }) => {
      const { [path]: info, ...others } = open;
      return info ? { open: { ...others, [moved]: { ...info, ...document.storage } } }
        : { open };
    });
  }
}

/** Replaces the whole text, as one step of the history. */
function replaceText(view: EditorView, text: string): void {
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    userEvent: "input.reload",
  });
}

/** Takes up what another program wrote: at once into an unchanged document. */
async function lookAtDisk(path: string): Promise<void> {
  const document = kept.get(path);
  const info = documents.get().open[path];
  if (!document || !info) return;
  const disk = await read(path);
  if (disk.etag === document.etag) return;
  if (disk.text === textOf(document.view)) {
    document.saved = disk.text;
    document.etag = disk.etag;
    inform(path, { dirty: false, conflict: null });
  } else if (!info.dirty) {
    document.saved = disk.text;
    document.etag = disk.etag;
    replaceText(document.view, disk.text);
    notify("info", `${path} changed on disk and was read again`);
  } else {
    inform(path, { conflict: disk });
  }
}

/** Ends a conflict: by the text on disk, or by keeping one's own. */
export function settleConflict(path: string, take: "disk" | "mine"): void {
  const document = kept.get(path);
  const conflict = documents.get().open[path]?.conflict;
  if (!document || !conflict) return;
  document.etag = conflict.etag;
  document.saved = conflict.text;
  if (take === "disk") replaceText(document.view, conflict.text);
  inform(path, {
    conflict: null,
    dirty: textOf(document.view) !== conflict.text,
  });
}

/** Shows a file by its URI, for jumps of the language service. */
export async function showFile(uri: string): Promise<EditorView | null> {
  const path = pathOf(uri);
  const view = await openDocument(path);
  if (view) openTab({ kind: "text", path });
  return view;
}

/** Follows changes on disk; to be called once. */
export function watchDisk(): void {
  const look = (path: string) => void lookAtDisk(path).catch(() => undefined);
  const lookAtAll = () => Object.keys(documents.get().open).forEach(look);
  // An empty path stands for all files: the news were too many to tell.
  onNews("file", ({ path }) => (path ? look(path) : lookAtAll()));
  onNews("resync", lookAtAll);
  window.addEventListener("beforeunload", (event) => {
    if (Object.values(documents.get().open).some((d) => d.dirty)) {
      event.preventDefault();
    }
  });
}
