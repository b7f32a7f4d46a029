// The open documents. Each has one editor view that lives until the document is
// closed, shown or not: the view's state is the truth for text, diagram and undo.
import type { EditorView } from "@codemirror/view";
import { ApiError, ask, getJson, withQuery } from "../api/client";
import { onNews } from "../api/events";
import { createEditor, moveEditor, setFollowing, showText } from "../editor/create";
import type { Storage } from "../editor/create";
import { handOver, syncSoon, takeUp } from "../language/client";
import { notify, notifyError } from "./notices";
import { redoIn, undoIn } from "./steps";
import { openTab } from "./layout";
import { pathOf, uriOf } from "./session";
import { createStore } from "./store";
import {
  announcePage, claim, claimFirst, isThisPage, keepDraft, leaveFile, release, takeFromOther,
} from "./writers";

export interface DocumentInfo {
  path: string;
  uri: string;
  /** A text of a library. */
  readonly: boolean;
  /** Another page edits it, and this one shows what that does. */
  follows: boolean;
  dirty: boolean;
  /** Counts changes of the text. */
  version: number;
  errors: number;
  warnings: number;
  /** The text on disk, or of another page, that came while this one was edited. */
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
    const readonly = path.startsWith("/");
    const [{ text, mark, etag }, isMine] =
      await Promise.all([read(path), readonly || claimFirst(path)]);
    const uri = uriOf(path);
    const storage = { path, uri };
    if (!isMine) handOver(uri);
    const view = createEditor({
      path, uri, text, readonly, follows: !isMine,
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
          path, uri, readonly, follows: !isMine, dirty: false, version: 1,
          errors: 0, warnings: 0, conflict: null,
          draft: (isMine && drafts.get(path)) || null,
        },
      },
    }));
    if (!isMine) await follow(path);
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
  if (info.follows) return;
  document.draft = setTimeout(() => {
    if (!dirty) {
      dropDraft(path);
      return;
    }
    keepDraft(path, text, document.etag).catch((reason: unknown) => {
      if (reason instanceof ApiError && reason.status === 409) void lose(path);
    });
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
  const info = documents.get().open[path];
  if (!document || !info || info.readonly) return false;
  const text = textOf(document.view);
  if (text === document.saved) return true;
  if (info.follows) {
    notify("bad", `${path} was not saved: it is edited in another tab`,
      "Save it there, or press Edit here above its text.");
    return false;
  }
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
  if (isWritten(path)) void leaveFile(path);
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
    if (isWritten(path)) void leaveFile(path).then(() => claim(moved));
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
  if (info.follows) {
    await follow(path);
    return;
  }
  const disk = await read(path);
  // Who loses the document meanwhile looks at the disk itself.
  if (documents.get().open[path]?.follows || disk.etag === document.etag) return;
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

/** Whether another page edits a document, which is then told. */
export function refuseFollowed(path: string): boolean {
  if (!documents.get().open[path]?.follows) return false;
  notify("info", `${path} is edited in another tab`, "Press Edit here above its text.");
  return true;
}

/** Whether this page is the one that edits a document. */
function isWritten(path: string): boolean {
  const info = documents.get().open[path];
  return !!info && !info.readonly && !info.follows;
}

async function draftOf(path: string): Promise<string | undefined> {
  const { items } = await getJson<{ items: { path: string; text: string }[] }>(
    "/api/drafts");
  return items.find((draft) => draft.path === path)?.text;
}

/** Shows what the page has that edits a document, as far as it is kept. */
async function follow(path: string): Promise<void> {
  const document = kept.get(path);
  if (!document || documents.get().open[path]?.conflict) return;
  const [disk, draft] = await Promise.all([read(path), draftOf(path)]);
  if (!documents.get().open[path]?.follows) return;
  document.saved = disk.text;
  document.etag = disk.etag;
  showText(document.view, draft ?? disk.text);
  inform(path, { dirty: textOf(document.view) !== document.saved });
}

/** Whether an unsaved text is taken; a studio that does not answer is asked again. */
async function isKept(path: string, text: string, etag: string): Promise<boolean> {
  for (;;) {
    try {
      await keepDraft(path, text, etag);
      return true;
    } catch (reason) {
      if (!(reason instanceof ApiError && reason.status === 0)) return false;
    }
    await new Promise((later) => setTimeout(later, 1000));
  }
}

/** Another page edits the document now: it is told what this one knows of it. */
async function lose(path: string): Promise<void> {
  const document = kept.get(path);
  const info = documents.get().open[path];
  if (!document || !info || info.follows) return;
  clearTimeout(document.draft);
  release(path);
  const text = textOf(document.view);
  setFollowing(document.view, true);
  handOver(info.uri);
  inform(path, { follows: true, draft: null });
  if (text === document.saved || await isKept(path, text, document.etag)) {
    await leaveFile(path);
    // A page of a studio that was started anew has heard of no change until now.
    await follow(path).catch(() => undefined);
    return;
  }
  // It came too late: both texts are shown.
  const [disk, draft] = await Promise.all([read(path), draftOf(path)]);
  const theirs = draft ?? disk.text;
  if (theirs !== text) inform(path, { conflict: { text: theirs, etag: disk.etag } });
}

/** This page edits the document from now on, with all that others knew of it. */
function begin(path: string): void {
  const document = kept.get(path);
  const info = documents.get().open[path];
  if (!document || !info) return;
  drafts.delete(path);
  setFollowing(document.view, false);
  takeUp(info.uri);
  inform(path, { follows: false });
}

/** Takes a document over from the page that edits it. */
export async function takeOver(path: string): Promise<void> {
  if (!documents.get().open[path]?.follows) return;
  await takeFromOther(path);
  await follow(path);
  begin(path);
}

/** Takes up a document that nobody edits any more, unless its page comes back. */
function followOrBegin(path: string): void {
  setTimeout(async () => {
    if (!documents.get().open[path]?.follows || !await claimFirst(path)) return;
    await follow(path);
    begin(path);
  }, 1500);
}

/** Follows who edits what; to be called once. */
export function watchWriters(): void {
  announcePage();
  onNews("writer", ({ path, page }) => {
    if (!documents.get().open[path] || isThisPage(page)) return;
    if (isWritten(path)) {
      if (page) void lose(path);
    } else if (!page) {
      followOrBegin(path);
    }
  });
  onNews("draft", ({ path }) => {
    if (documents.get().open[path]?.follows) void follow(path).catch(() => undefined);
  });
  // The studio may be another one, which knows of no page.
  const ask = () => Object.keys(documents.get().open).filter(isWritten).forEach((path) =>
    void claim(path).then((isMine) => (isMine ? undefined : lose(path))));
  onNews("resync", ask);
  window.addEventListener("pageshow", ({ persisted }) => persisted && ask());
  window.addEventListener("pagehide", () =>
    Object.keys(documents.get().open).filter(isWritten)
      .forEach((path) => void leaveFile(path)));
}

/** Ends a conflict: by the text of the others, or by keeping one's own. */
export async function settleConflict(path: string, take: "disk" | "mine"): Promise<void> {
  const document = kept.get(path);
  const info = documents.get().open[path];
  const conflict = info?.conflict;
  if (!document || !info || !conflict) return;
  if (info.follows) {
    const mine = textOf(document.view);
    inform(path, { conflict: null });
    if (take === "disk") {
      await follow(path);
      return;
    }
    await takeOver(path);
    replaceText(document.view, mine);
    return;
  }
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
    if (Object.values(documents.get().open).some((d) => d.dirty && !d.follows)) {
      event.preventDefault();
    }
  });
}
