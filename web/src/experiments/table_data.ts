// The table of an experiment's runs, up to a bound, for the list and the pictures
// beside it.
import { useEffect, useState } from "react";
import { getJson } from "../api/client";
import type { RunTable } from "../api/types";
import { notifyError } from "../state/notices";

/** More lines than these cannot be told apart in parallel coordinates. */
const most_rows = 5000;

export interface Sorting {
  column: string;
  down: boolean;
}

export function useTable(
  id: number, sorting: Sorting | null, version: number,
): RunTable | null {
  const [table, setTable] = useState<RunTable | null>(null);
  const sort = sorting ? `${sorting.down ? "-" : ""}${sorting.column}` : undefined;
  useEffect(() => {
    let left = false;
    getJson<RunTable>(`/api/experiments/${id}/runs`,
      { offset: 0, limit: most_rows, sort })
      .then((found) => {
        if (!left) setTable(found);
      })
      .catch((reason: unknown) => {
        if (!left) notifyError(`read the runs of experiment ${id}`, reason);
      });
    return () => {
      left = true;
    };
  }, [id, sort, version]);
  return table;
}

/** Columns in the order in which they are shown: what is varied comes first. */
export function columnOrder(table: RunTable): number[] {
  const all = table.columns.map((_, i) => i);
  return [...all.filter((i) => table.columns[i]?.varied),
    ...all.filter((i) => !table.columns[i]?.varied)];
}
