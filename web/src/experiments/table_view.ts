// How a table of runs is looked at, and ways of that which the user has named: by the
// model, so that they serve its next experiments, too.
import type { RunRow, RunTable } from "../api/types";
import { recall, remember } from "../state/store";
import type { Brush } from "./parallel";
import type { Sorting } from "./table_data";

export interface TableView {
  sorting: Sorting | null;
  picture: "parallel" | "scatter";
  /** Whether columns are left out that are the same in all runs. */
  only_differences: boolean;
  /** Names of columns that are left out. */
  hidden: string[];
  /** Ranges of columns, by their names. */
  brushes: Record<string, Brush>;
  /** Names of columns whose axes go by powers of ten. */
  logs?: string[];
}

export const plainView: TableView = {
  sorting: null, picture: "parallel", only_differences: false, hidden: [], brushes: {},
};

export type NamedViews = Record<string, TableView>;

export function viewsOf(model: string): NamedViews {
  return recall<NamedViews>(`views.${model}`, {});
}

export function keepViews(model: string, views: NamedViews): void {
  remember(`views.${model}`, views);
}

function isSame(rows: RunRow[], column: number): boolean {
  return rows.every((row) => row.values[column] === rows[0]?.values[column]);
}

/** The columns that a view shows, of those in `order`. */
export function shownColumns(table: RunTable, order: number[], view: TableView): number[] {
  return order.filter((c) => !view.hidden.includes(table.columns[c]?.name ?? "")
    && !(view.only_differences && isSame(table.rows, c)));
}

/** The columns whose axes go by powers of ten: those that have a value above zero. */
export function logColumns(table: RunTable, view: TableView): Set<number> {
  return new Set(table.columns.flatMap(({ name }, c) =>
    (view.logs?.includes(name) && table.rows.some((row) => (row.values[c] ?? 0) > 0)
      ? [c] : [])));
}

/** The brushes of a view by the numbers of their columns. */
export function brushesOf(table: RunTable, view: TableView): Map<number, Brush> {
  return new Map(Object.entries(view.brushes).flatMap(([name, brush]): [number, Brush][] => {
    const column = table.columns.findIndex((c) => c.name === name);
    return column < 0 ? [] : [[column, brush]];
  }));
}

export function namedBrushes(
  table: RunTable, brushes: Map<number, Brush>,
): Record<string, Brush> {
  return Object.fromEntries([...brushes].map(([column, brush]) =>
    [table.columns[column]?.name ?? "", brush]));
}
