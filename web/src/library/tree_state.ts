// The rows of the sidebar's tree: files of the folder and classes of libraries.
// Children are fetched when a row is opened.
import { getJson } from "../api/client";
import { onNews } from "../api/events";
import type { ClassItem, FileItem, Window } from "../api/types";
import { inquire } from "../language/client";
import { notifyError } from "../state/notices";
import { createStore, recall, remember } from "../state/store";
import type { UsualClasses } from "./usual_classes";

export type Row =
  | { kind: "head"; id: string; title: string }
  | { kind: "file"; id: string; depth: number; item: FileItem; open: boolean }
  | { kind: "class"; id: string; depth: number; item: ClassItem; open: boolean }
  | { kind: "more"; id: string; depth: number; under: string; shown: number;
      total: number }
  | { kind: "note"; id: string; text: string };

interface TreeState {
  files: Record<string, FileItem[]>;
  classes: Record<string, Window<ClassItem>>;
  open: Record<string, boolean>;
}

const page = 200;

/** Files of the store, which is shown as experiments. */
const store_files = /(?:^|\/)orrery\.db(?:-\w+)?$/;

export const tree = createStore<TreeState>({
  files: {}, classes: {}, open: recall("tree", {} as Record<string, boolean>),
});

export async function loadFiles(under: string): Promise<void> {
  try {
    const { items } = await getJson<{ items: FileItem[] }>("/api/files", { under });
    const shown = items.filter(({ path }) => !store_files.test(path));
    tree.update((t) => ({ ...t, files: { ...t.files, [under]: shown } }));
  } catch (reason) {
    notifyError(`list ${under || "the folder"}`, reason);
  }
}

export async function loadClasses(under: string): Promise<void> {
  const known = tree.get().classes[under]?.items ?? [];
  try {
    const next = await inquire<unknown, Window<ClassItem>>("orrery/classes",
      { under, offset: known.length, limit: page });
    tree.update((t) => ({
      ...t,
      classes: {
        ...t.classes,
        [under]: { total: next.total, items: [...known, ...next.items] },
      },
    }));
  } catch (reason) {
    notifyError(`list ${under || "the libraries"}`, reason);
  }
}

export function toggleRow(row: Row): void {
  if (row.kind !== "file" && row.kind !== "class") return;
  const open = !row.open;
  tree.update((t) => ({ ...t, open: { ...t.open, [row.id]: open } }));
  remember("tree", tree.get().open);
  if (open) loadChildren(row);
}

function loadChildren(row: Row): void {
  if (row.kind === "file" && !tree.get().files[row.item.path]) {
    void loadFiles(row.item.path);
  }
  if (row.kind === "class" && !tree.get().classes[row.item.name]) {
    void loadClasses(row.item.name);
  }
}

const loading = new Set<string>();

/** The classes that the user comes back to, if there are some. */
function usualRows({ favourites, recent }: UsualClasses): Row[] {
  const rest = recent.filter(({ name }) => !favourites.some((item) => item.name === name));
  if (favourites.length + rest.length === 0) return [];
  return [
    { kind: "head", id: "usual", title: "Favourites and recent" },
    ...[...favourites, ...rest].map((item): Row =>
      ({ kind: "class", id: `u:${item.name}`, depth: 0, item: { ...item, children: 0 },
        open: false })),
  ];
}

/** The rows of all that is open, from top to bottom. */
export function rowsOf(state: TreeState, classes: UsualClasses): Row[] {
  const rows = usualRows(classes);
  rows.push({ kind: "head", id: "files", title: "This folder" });
  const addFiles = (under: string, depth: number) => {
    for (const item of state.files[under] ?? []) {
      const id = `f:${item.path}`;
      const open = item.kind === "folder" && (state.open[id] ?? false);
      const row: Row = { kind: "file", id, depth, item, open };
      rows.push(row);
      if (!open) continue;
      fetchOnce(row);
      addFiles(item.path, depth + 1);
    }
  };
  addFiles("", 0);
  if (state.files[""]?.length === 0) {
    rows.push({ kind: "note", id: "nofiles", text: "No files here yet." });
  }
  rows.push({ kind: "head", id: "libraries", title: "Classes and libraries" });
  const addClasses = (under: string, depth: number) => {
    const known = state.classes[under];
    for (const item of known?.items ?? []) {
      const id = `c:${item.name}`;
      const open = item.children > 0 && (state.open[id] ?? false);
      const row: Row = { kind: "class", id, depth, item, open };
      rows.push(row);
      if (!open) continue;
      fetchOnce(row);
      addClasses(item.name, depth + 1);
    }
    if (known && known.items.length < known.total) {
      rows.push({ kind: "more", id: `m:${under}`, depth, under,
        shown: known.items.length, total: known.total });
    }
  };
  addClasses("", 0);
  if (state.classes[""]?.total === 0) {
    rows.push({ kind: "note", id: "nolibraries",
      text: "No library was found. Set MODELICAPATH to its folder." });
  }
  return rows;
}

/** Fetches the children of a row that was left open at the last visit. */
function fetchOnce(row: Row): void {
  if (loading.has(row.id)) return;
  loading.add(row.id);
  queueMicrotask(() => loadChildren(row));
}

function reloadFiles(): void {
  for (const under of Object.keys(tree.get().files)) void loadFiles(under);
}

/** Loads the roots, and follows what appears on disk; to be called once. */
export function startTree(): void {
  void loadFiles("");
  void loadClasses("");
  onNews("file", ({ path, what }) => {
    if (!path) {
      reloadFiles();
      return;
    }
    const under = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    const listed = tree.get().files[under];
    // A file that is moved here is told as changed.
    const isNew = listed && !listed.some((item) => item.path === path);
    if ((what !== "changed" && listed) || (isNew && !store_files.test(path))) {
      void loadFiles(under);
    }
  });
  onNews("resync", reloadFiles);
}
