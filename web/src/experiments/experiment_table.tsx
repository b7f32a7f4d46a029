// The runs of an experiment as a table beside parallel coordinates or a Pareto
// front; a brush over an axis filters the table, a click opens the run's curves.
import { useMemo, useState } from "react";
import type { RunRow, RunTable } from "../api/types";
import { short } from "../plot/values";
import { Empty } from "../ui/controls";
import { VirtualList } from "../ui/virtual_list";
import { openRun } from "./open_run";
import { Parallel, passes } from "./parallel";
import type { Brush } from "./parallel";
import { Scatter } from "./scatter";
import { columnOrder, useTable } from "./table_data";
import type { Sorting } from "./table_data";

/** What a run varied, for the legend of its curves. */
function variedOf(table: RunTable, row: RunRow): Record<string, string> {
  return Object.fromEntries(table.columns.flatMap((column, i) =>
    (column.varied ? [[column.name, short(row.values[i])]] : [])));
}

interface ExperimentTableProps {
  id: number;
  /** Grows when there are new runs. */
  version: number;
}

export function ExperimentTable({ id, version }: ExperimentTableProps) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [picture, setPicture] = useState<"parallel" | "scatter">("parallel");
  const [brushes, setBrushes] = useState<Map<number, Brush>>(new Map());
  const [hovered, setHovered] = useState<number | null>(null);
  const table = useTable(id, sorting, version);
  const order = useMemo(() => (table ? columnOrder(table) : []), [table]);
  const rows = useMemo(() => (table?.rows ?? []).filter((r) => passes(r, brushes)),
    [table, brushes]);
  if (!table) return <p className="loading">Reading the runs…</p>;
  if (table.rows.length === 0) {
    return <Empty icon="experiments" title="No run has ended yet" />;
  }
  const open = (row: RunRow) => void openRun(id, row, variedOf(table, row));
  const columns = `40px repeat(${order.length}, minmax(64px, 1fr)) 76px`;
  const least = 180 + order.length * 76;
  return (
    <div className="experiment-table">
      <div className="picture-head">
        <button type="button" className="toggle" aria-pressed={picture === "parallel"}
          onClick={() => setPicture("parallel")}>parallel coordinates</button>
        <button type="button" className="toggle" aria-pressed={picture === "scatter"}
          onClick={() => setPicture("scatter")}>two columns</button>
        <span className="grow" />
        {brushes.size > 0 && (
          <button type="button" className="link" onClick={() => setBrushes(new Map())}>
            show all</button>
        )}
        <span className="soft">{rows.length} of {table.total} runs</span>
      </div>
      {picture === "parallel"
        ? <Parallel table={table} order={order} brushes={brushes} onBrush={setBrushes}
            hovered={hovered} onOpen={open} />
        : <Scatter table={table} order={order} hovered={hovered} onOpen={open} />}
      <div className="table-scroller"><div className="table-wide" style={{ minWidth: least }}>
      <div className="table-head" style={{ gridTemplateColumns: columns }}>
        <span className="number">run</span>
        {order.map((i) => {
          const column = table.columns[i];
          if (!column) return null;
          const sorted = sorting?.column === column.name;
          return (
            <button key={column.name} type="button" title={column.name}
              aria-pressed={sorted}
              onClick={() => setSorting(sorted && sorting.down ? null
                : { column: column.name, down: sorted })}>
              {column.name}{column.unit && <span className="soft"> {column.unit}</span>}
              {sorted && (sorting.down ? " ↓" : " ↑")}
            </button>
          );
        })}
        <span>status</span>
      </div>
      <VirtualList count={rows.length} rowHeight={26} label="Runs"
        row={(i) => {
          const row = rows[i];
          return row && (
            <button type="button" className="table-row" style={{ gridTemplateColumns: columns }}
              onClick={() => open(row)} onMouseEnter={() => setHovered(row.run)}
              onMouseLeave={() => setHovered(null)}>
              <span className="number">{row.run + 1}</span>
              {order.map((c) => (
                <span key={c} className="number">{short(row.values[c])}</span>
              ))}
              <span className={`state ${row.status}`}>{row.status}</span>
            </button>
          );
        }} />
      </div></div>
    </div>
  );
}
