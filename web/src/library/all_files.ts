// All files of the folder, for searches by name.
import { getJson } from "../api/client";
import { onNews } from "../api/events";
import type { FileItem } from "../api/types";

/** A folder with more sub-folders than these is searched in part. */
const most_folders = 300;

let known: Promise<FileItem[]> | undefined;

async function list(): Promise<FileItem[]> {
  const files: FileItem[] = [];
  const folders = [""];
  for (let i = 0; i < folders.length && i < most_folders; ++i) {
    const { items } = await getJson<{ items: FileItem[] }>("/api/files",
      { under: folders[i] });
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
  known ??= list();
  return known;
}
