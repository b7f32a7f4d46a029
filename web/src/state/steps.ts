// Steps back and forward. A step that changed several documents, or the names of
// files, is one for all of them.
import { redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import type { ChangeSet, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { sendJson } from "../api/client";
import { foldGraphics } from "../language/annotations";
import { applyChanges, changesOf, editsByFile, movesOf } from "../language/edits";
import type { WorkspaceEdit } from "../language/edits";
import {
  documents, moveDocuments, openDocument, saveDocument, takeOver, viewOf,
} from "./documents";
import { focus } from "./focus";
import { changeTabs, layout } from "./layout";
import type { Tab } from "./layout";
import { notify, notifyError } from "./notices";
import { pathOf } from "./session";

/** What a step did to one document. */
interface Part {
  path: string;
  before: Text;
  after: Text;
  changes: ChangeSet;
  /** Steps in the document's history, this one included. */
  depth: number;
}

interface Renaming {
  from: string;
  to: string;
}

interface SharedStep {
  what: string;
  parts: Part[];
  files: Renaming[];
  classes: Renaming[];
  /** Whether all is on disk at once: what refers to a new name finds it there. */
  saves: boolean;
  isDone: boolean;
}

const shared: SharedStep[] = [];
const most_steps = 50;

const reversed = ({ from, to }: Renaming): Renaming => ({ from: to, to: from });

/** The name that follows from a renaming of it or of what is around it. */
function renamed(name: string, { from, to }: Renaming, separator: string): string {
  return name === from || name.startsWith(from + separator)
    ? to + name.slice(from.length) : name;
}

function followTabs(files: Renaming[], classes: Renaming[]): void {
  const fileOf = (path: string) =>
    files.reduce((name, renaming) => renamed(name, renaming, "/"), path);
  const classOf = (name: string) =>
    classes.reduce((known, renaming) => renamed(known, renaming, "."), name);
  changeTabs((tab): Tab => {
    const moved = "path" in tab ? { ...tab, path: fileOf(tab.path) } : tab;
    return "class" in moved ? { ...moved, class: classOf(moved.class) } : moved;
  });
  const { path, class: name } = focus.get();
  focus.set({ path: fileOf(path), class: classOf(name) });
}

async function moveFiles(files: Renaming[]): Promise<void> {
  const follow = (file: Renaming) => {
    moveDocuments(file.from, file.to);
    followTabs([file], []);
  };
  for (const file of files) {
    // Documents go first: the news that a file is gone are then not about one of them.
    follow(file);
    try {
      await sendJson("POST", "/api/file/move", file);
    } catch (reason) {
      follow(reversed(file));
      throw reason;
    }
  }
}

function isShown(path: string): boolean {
  return layout.get().groups.some(({ tabs }) =>
    tabs.some((tab) => tab.kind === "text" && tab.path === path));
}

/** Saves the documents of a step, or those that no tab shows; false if one cannot be. */
async function save({ parts, saves }: SharedStep): Promise<boolean> {
  for (const { path } of parts) {
    if (!saves && isShown(path)) continue;
    if (!await saveDocument(path)) return false;
  }
  return true;
}

/** Changes a document as a part of a step; null if that cannot be. */
async function change(path: string, edit: (text: Text) => ReturnType<typeof changesOf>,
  what: string): Promise<Part | null> {
  const view = await openDocument(path);
  if (!view) return null;
  await takeOver(path);
  const before = view.state.doc;
  const changes = view.state.changes(edit(before));
  applyChanges(view, changes, what);
  foldGraphics(view);
  return { path, before, after: view.state.doc, changes, depth: undoDepth(view.state) };
}

/** Applies an answer of the language service to all documents that it names. */
export async function applyToAll(
  edit: WorkspaceEdit, what: string, { classes = [], saves = false }: {
    classes?: Renaming[]; saves?: boolean;
  } = {},
): Promise<boolean> {
  const edits = editsByFile(edit);
  const files = movesOf(edit).map(({ oldUri, newUri }) =>
    ({ from: pathOf(oldUri), to: pathOf(newUri) }));
  const parts: Part[] = [];
  for (const [uri, list] of edits) {
    const part = await change(pathOf(uri), (text) => changesOf(text, list), what);
    if (part) parts.push(part);
  }
  followTabs([], classes);
  if (edits.size < 2 && files.length === 0) return parts.length === edits.size;
  const step: SharedStep = { what, parts, files, classes, saves, isDone: true };
  shared.push(step);
  shared.splice(0, shared.length - most_steps);
  if (!await save(step)) return false;
  await moveFiles(files);
  follow(step, files);
  return true;
}

function follow(step: SharedStep, files: Renaming[]): void {
  for (const part of step.parts) {
    part.path = files.reduce((name, renaming) => renamed(name, renaming, "/"), part.path);
  }
}

/** Takes a shared step back, or forward again, in all of its documents. */
async function turn(step: SharedStep, forward: boolean): Promise<void> {
  const verb = forward ? "done again" : "undone";
  const views: [Part, EditorView][] = [];
  for (const part of step.parts) {
    const view = await openDocument(part.path);
    if (!view?.state.doc.eq(forward ? part.before : part.after)) {
      notify("info", `"${step.what}" cannot be ${verb}: ${part.path} has changed since`,
        "Undo that change first.");
      return;
    }
    views.push([part, view]);
  }
  const files = forward ? step.files : step.files.map(reversed).reverse();
  const classes = forward ? step.classes : step.classes.map(reversed).reverse();
  for (const [part, view] of views) {
    const isNext = undoDepth(view.state) === part.depth - (forward ? 1 : 0);
    const isRemembered = isNext && (!forward || redoDepth(view.state) > 0);
    if (isRemembered) (forward ? redo : undo)(view);
    else {
      applyChanges(view, forward ? part.changes : part.changes.invert(part.before),
        step.what);
      part.depth = undoDepth(view.state) + (forward ? 0 : 1);
    }
  }
  step.isDone = forward;
  followTabs([], classes);
  if (!await save(step)) return;
  await moveFiles(files);
  follow(step, files);
}

/** The shared step that a document would take now. */
function sharedStep(path: string, view: EditorView, forward: boolean): SharedStep | undefined {
  return shared.find((step) => step.isDone !== forward && step.parts.some((part) =>
    part.path === path && undoDepth(view.state) === part.depth - (forward ? 1 : 0)
    && view.state.doc.eq(forward ? part.before : part.after)));
}

function stepIn(path: string, forward: boolean): void {
  const view = viewOf(path);
  if (!view || documents.get().open[path]?.readonly) return;
  const step = sharedStep(path, view, forward);
  if (!step) {
    (forward ? redo : undo)(view);
    return;
  }
  turn(step, forward).catch((reason: unknown) =>
    notifyError(`${forward ? "do" : "undo"} "${step.what}"`, reason));
}

export function undoIn(path: string): void {
  stepIn(path, false);
}

export function redoIn(path: string): void {
  stepIn(path, true);
}
