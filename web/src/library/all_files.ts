// All files of the folder, for searches by name.
import { ApiError, getJson } from "../api/client";
import { onNews } from "../api/events";
import type { FileItem } from "../api/types";

/** A folder with more sub-folders than these is searched in part. */
const most_folders = 300;

let known: Promise<FileItem[]> | undefined;

async function list(): Promise<FileItem[]> {
  const files: FileItem[] = [];
  const folders = [""];
  for (let i = 0; i < folders.length && i < most_folders; ++i) {
    // A link that leads out of the folder is refused: what else is there is found.
    const { items } = await getJson<{ items: FileItem[] }>("/api/files",
      { under: folders[i] }).catch((reason: unknown) => {
      if (i > 0 && reason instanceof ApiError && reason.status !== 0) return { items: [] };
      throw reason;
    });
    for (const item of items) {
      if (item.kind === "folder") folders.push(item.path);
      else files.push(item);
    }
  }
  return files;
}

function forget(): void {
  known = undefined;
}

// From the start, so that who hears of a change later lists anew.
onNews("file", forget);
onNews("resync", forget);

/** The files of the folder and of those in it; listed anew after a change. */
export function allFiles(): Promise<FileItem[]> {
  known ??= list().catch((reason: unknown) => {
    forget();
    throw reason;
  });
  return known;
}
