// The runs of an experiment as a table beside parallel coordinates or a Pareto
// front; a brush over an axis filters the table, a click opens the run's curves.
import { useEffect, useMemo, useState } from "react";
import type { Experiment, RunRow, RunTable } from "../api/types";
import { short } from "../plot/values";
import { Button, Empty } from "../ui/controls";
import { VirtualList } from "../ui/virtual_list";
import { openRun } from "./open_run";
import { Parallel, passes } from "./parallel";
import { Scatter } from "./scatter";
import type { Objective } from "./scatter";
import { columnOrder, useTable } from "./table_data";
import { brushesOf, logColumns, namedBrushes, plainView, shownColumns } from "./table_view";
import type { TableView } from "./table_view";
import { ViewBar } from "./view_bar";
import { writeIntoModel } from "./write_values";

/** What a run varied, for the legend of its curves. */
function variedOf(table: RunTable, row: RunRow): Record<string, string> {
  return Object.fromEntries(table.columns.flatMap((column, i) =>
    (column.varied ? [[column.name, short(row.values[i])]] : [])));
}

interface ExperimentTableProps {
  id: number;
  /** Grows when there are new runs. */
  version: number;
  /** Null as long as it is not known. */
  experiment: Experiment | null;
}

function objectivesOf(experiment: Experiment | null): Objective[] {
  const list = experiment?.results?.["objectives"];
  return Array.isArray(list) ? list as Objective[] : [];
}

/** The numbers of the runs on the front that an optimisation found. */
function frontOf(experiment: Experiment | null): number[] {
  const list = experiment?.results?.["front"];
  // Reports count runs from 1, tables from 0.
  return Array.isArray(list) ? list.map((point) => (point as { run: number }).run - 1) : [];
}

/** Why runs failed: the first of them, and how many there are. */
function Failures({ table }: { table: RunTable }) {
  const failed = table.rows.filter((row) => row.status === "failed");
  const first = failed[0];
  if (!first) return null;
  return (
    <div className="bar bad" role="status">
      <span>{failed.length} {failed.length === 1 ? "run" : "runs"} failed. Run{" "}
        {first.run + 1}: {first.message ?? "its reason was not stored"}</span>
    </div>
  );
}

/** The run that was opened last, and what can be done with its values. */
function OpenedRun({ table, row, experiment }: {
  table: RunTable; row: RunRow; experiment: Experiment;
}) {
  const values = table.columns.flatMap((column, i) => {
    const value = row.values[i];
    return column.varied && typeof value === "number" ? [{ name: column.name, value }] : [];
  });
  if (values.length === 0) return null;
  return (
    <div className="bar info">
      <span>Run {row.run + 1} was opened:{" "}
        {values.map((v) => `${v.name} = ${short(v.value)}`).join(", ")}</span>
      <span className="grow" />
      <Button icon="model" onClick={() => void writeIntoModel(experiment, values)}
        title="One change of the text: Ctrl+Z takes it back">Write into the model</Button>
    </div>
  );
}

interface RowsProps {
  table: RunTable;
  rows: RunRow[];
  shown: number[];
  view: TableView;
  change: (part: Partial<TableView>) => void;
  hover: (run: number | null) => void;
  open: (row: RunRow) => void;
}

function Rows({ table, rows, shown, view, change, hover, open }: RowsProps) {
  const { sorting } = view;
  const columns = `40px repeat(${shown.length}, minmax(64px, 1fr)) minmax(76px, 1fr)`;
  return (
    <div className="table-scroller">
      <div className="table-wide" style={{ minWidth: 180 + shown.length * 76 }}>
        <div className="table-head" style={{ gridTemplateColumns: columns }}>
          <span className="number">run</span>
          {shown.map((i) => {
            const column = table.columns[i];
            if (!column) return null;
            const sorted = sorting?.column === column.name;
            return (
              <button key={column.name} type="button" title={column.name}
                aria-pressed={sorted} onClick={() => change({
                  sorting: sorted && sorting.down ? null
                    : { column: column.name, down: sorted },
                })}>
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
              <button type="button" className="table-row"
                style={{ gridTemplateColumns: columns }} onClick={() => open(row)}
                onMouseEnter={() => hover(row.run)} onMouseLeave={() => hover(null)}>
                <span className="number">{row.run + 1}</span>
                {shown.map((c) => (
                  <span key={c} className="number">{short(row.values[c])}</span>
                ))}
                <span className={`state ${row.status}`} title={row.message}>{row.status}
                  {row.message && `: ${row.message}`}</span>
              </button>
            );
          }} />
      </div>
    </div>
  );
}

/** How each experiment is looked at, for as long as the page lives. */
const looks = new Map<number, { view: TableView | null; opened: RunRow | null }>();

export function ExperimentTable({ id, version, experiment }: ExperimentTableProps) {
  const objectives = objectivesOf(experiment);
  const [chosen, setView] = useState(() => looks.get(id)?.view ?? null);
  const [opened, setOpened] = useState(() => looks.get(id)?.opened ?? null);
  useEffect(() => {
    looks.set(id, { view: chosen, opened });
  }, [id, chosen, opened]);
  // A search for two things is shown as their front, until the user says otherwise.
  const view = chosen ?? {
    ...plainView, picture: objectives.length > 1 ? "scatter" : "parallel",
  };
  const change = (part: Partial<TableView>) => setView({ ...view, ...part });
  const [hovered, setHovered] = useState<number | null>(null);
  const table = useTable(id, view.sorting, version);
  const order = useMemo(() => (table ? columnOrder(table) : []), [table]);
  const brushes = useMemo(() => (table ? brushesOf(table, view) : new Map()),
    [table, view.brushes]);
  const logs = useMemo(() => (table ? logColumns(table, view) : new Set<number>()),
    [table, view.logs]);
  const rows = useMemo(() => (table?.rows ?? []).filter((r) => passes(r, brushes)),
    [table, brushes]);
  if (!table) return <p className="loading">Reading the runs…</p>;
  // Analyses of one point have no runs that could be told apart.
  if (table.columns.length === 0) return null;
  if (table.rows.length === 0) {
    return <Empty icon="experiments" title="No run has ended yet" />;
  }
  const open = (row: RunRow) => {
    setOpened(row);
    void openRun(id, row, variedOf(table, row));
  };
  const shown = shownColumns(table, order, view);
  return (
    <div className="experiment-table">
      <Failures table={table} />
      {experiment && (
        <ViewBar model={experiment.model} table={table} order={order} count={rows.length}
          view={view} change={change} />
      )}
      {view.picture === "parallel"
        ? <Parallel table={table} order={shown} logs={logs} brushes={brushes} hovered={hovered}
            onBrush={(next) => change({ brushes: namedBrushes(table, next) })}
            onOpen={open} />
        : <Scatter key={objectives.length} table={table} order={order} logs={logs}
            objectives={objectives} found={frontOf(experiment)} hovered={hovered} onOpen={open} />}
      {opened && experiment && (
        <OpenedRun table={table} row={opened} experiment={experiment} />
      )}
      <Rows table={table} rows={rows} shown={shown} view={view} change={change}
        hover={setHovered} open={open} />
    </div>
  );
}
