// Measured data as CSV: its columns, and files that the user drops into the page.
import { ApiError, ask, withQuery } from "../api/client";
import { focus } from "../state/focus";
import type { Quantity } from "../language/protocol";
import { notify, notifyError } from "../state/notices";
import type { Override } from "../runs/settings";
import { designCalibration } from "./designs";

export interface DataColumn {
  name: string;
  unit: string;
}

export interface DataTable {
  /** The column of the times. */
  time: DataColumn | null;
  columns: DataColumn[];
  rows: number;
}

/** "x [mm]" as a name and a unit. */
export function columnOf(word: string): DataColumn {
  const text = word.trim().replace(/^"(.*)"$/, "$1").replaceAll('""', '"');
  const found = /^(.*?)\s*\[([^\]]*)\]$/.exec(text);
  return found ? { name: (found[1] ?? "").trim(), unit: (found[2] ?? "").trim() }
    : { name: text, unit: "" };
}

/** What the head of a CSV text says. Its times are in `time`, else the first column. */
export function readTable(csv: string): DataTable {
  const lines = csv.replace(/^\ufeff/, "").split(/\r?\n/).filter((line) => line.trim());
  const words = (lines[0] ?? "").match(/("([^"]|"")*"|[^,;\t])+/g) ?? [];
  const columns = words.map(columnOf).filter((c) => c.name);
  const time = columns.find((c) => c.name === "time") ?? columns[0] ?? null;
  return {
    time, columns: columns.filter((c) => c !== time), rows: Math.max(0, lines.length - 1),
  };
}

/** Which signal each column measures, as its name says. */
export function matchedByName(columns: DataColumn[], quantities: Quantity[]): Override[] {
  const signals = quantities.filter((q) => q.kind !== "parameter");
  return columns.flatMap((column) => {
    const found = signals.find((q) => q.name === column.name)
      ?? signals.find((q) => q.name.toLowerCase() === column.name.toLowerCase());
    return found ? [{ name: found.name, value: column.name }] : [];
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The text of a file of the folder. */
export async function textAt(path: string): Promise<string> {
  return (await ask(withQuery("/api/file", { path }))).text();
}

/** Puts a text into the folder under a name that is free, or has that text already. */
async function keepFile(folder: string, name: string, text: string): Promise<string> {
  const dot = name.lastIndexOf(".");
  for (let i = 1; ; ++i) {
    const path = folder + (i === 1 ? name : `${name.slice(0, dot)}_${i}${name.slice(dot)}`);
    try {
      await ask(withQuery("/api/file", { path }), {
        method: "PUT", text, headers: { "If-None-Match": "*" },
      });
      return path;
    } catch (reason) {
      const is_taken = reason instanceof ApiError && reason.status === 412;
      if (!is_taken) throw reason;
      if ((await textAt(path)) === text) return path;
    }
  }
}

/** Takes a file with measured data for the model at `model`, and designs a fit. */
export async function takeData(file: File, model: string): Promise<void> {
  try {
    const path = await keepFile(folderOf(model), file.name, await file.text());
    designCalibration(model, path);
    notify("good", `${file.name} is in the folder as ${path}`);
  } catch (reason) {
    notifyError(`take ${file.name}`, reason);
  }
}

/** The CSV file among what is dragged; undefined if there is none. */
function droppedData(event: { dataTransfer: DataTransfer }): File | undefined {
  return [...event.dataTransfer.files].find((file) => /\.csv$/i.test(file.name));
}

/** Takes a dropped file for the model in use. @returns whether there was one. */
export function dropOnModel(event: { dataTransfer: DataTransfer }): boolean {
  const file = droppedData(event);
  if (!file) return false;
  const { path } = focus.get();
  if (path.endsWith(".mo") && !path.startsWith("/")) void takeData(file, path);
  else notify("info", "Open a model of this folder first",
    "Then measured data can be dropped on it.");
  return true;
}
