// The head of a table of runs: its picture, its columns, and views with names.
import { useState } from "react";
import type { RunTable } from "../api/types";
import { Button, IconButton } from "../ui/controls";
import { keepViews, plainView, viewsOf } from "./table_view";
import type { TableView } from "./table_view";

interface ViewBarProps {
  model: string;
  table: RunTable;
  order: number[];
  /** How many runs are shown. */
  count: number;
  view: TableView;
  change: (part: Partial<TableView>) => void;
}

function toggled(names: string[], name: string): string[] {
  return names.includes(name) ? names.filter((n) => n !== name) : [...names, name];
}

function Columns({ table, order, view, change }: Omit<ViewBarProps, "model" | "count">) {
  return (
    <fieldset>
      <legend>Columns</legend>
      <label>
        <input type="checkbox" checked={view.only_differences}
          onChange={(event) => change({ only_differences: event.target.checked })} />
        only what differs between runs
      </label>
      {order.map((c) => {
        const name = table.columns[c]?.name ?? "";
        return (
          <span key={name} className="column-choice">
            <label>
              <input type="checkbox" checked={!view.hidden.includes(name)}
                onChange={() => change({ hidden: toggled(view.hidden, name) })} />{name}
            </label>
            <button type="button" className="toggle" aria-label={`log axis of ${name}`}
              aria-pressed={view.logs?.includes(name) ?? false}
              title="The axis goes by powers of ten"
              onClick={() => change({ logs: toggled(view.logs ?? [], name) })}>log</button>
          </span>
        );
      })}
    </fieldset>
  );
}

/** Views with names: chosen, kept, forgotten. */
function Views({ model, view, change }: Pick<ViewBarProps, "model" | "view" | "change">) {
  const [views, setViews] = useState(() => viewsOf(model));
  const [name, setName] = useState("");
  const keep = (next: typeof views) => {
    setViews(next);
    keepViews(model, next);
  };
  const save = () => {
    if (!name.trim()) return;
    keep({ ...views, [name.trim()]: view });
    setName("");
  };
  return (
    <fieldset>
      <legend>Views of {model}</legend>
      <button type="button" className="link" onClick={() => change(plainView)}>
        all runs and columns</button>
      {Object.entries(views).map(([known, its]) => (
        <span key={known} className="named-view">
          <button type="button" className="link" onClick={() => change(its)}>{known}</button>
          <IconButton icon="trash" label={`Forget the view ${known}`} onClick={() => {
            const { [known]: _forgotten, ...others } = views;
            keep(others);
          }} />
        </span>
      ))}
      <span className="named-view">
        <input value={name} placeholder="name what you see" aria-label="Name of this view"
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            save();
          }} />
        <Button disabled={!name.trim()} onClick={save}>Keep</Button>
      </span>
    </fieldset>
  );
}

export function ViewBar(props: ViewBarProps) {
  const { model, table, count, view, change } = props;
  const is_filtered = Object.keys(view.brushes).length > 0;
  return (
    <div className="picture-head">
      <button type="button" className="toggle" aria-pressed={view.picture === "parallel"}
        onClick={() => change({ picture: "parallel" })}>parallel coordinates</button>
      <button type="button" className="toggle" aria-pressed={view.picture === "scatter"}
        onClick={() => change({ picture: "scatter" })}>two columns</button>
      <details className="view-menu">
        <summary className="toggle">view</summary>
        <div className="menu-list">
          <Views key={model} model={model} view={view} change={change} />
          <Columns {...props} />
        </div>
      </details>
      <span className="grow" />
      {is_filtered && (
        <button type="button" className="link" onClick={() => change({ brushes: {} })}>
          show all</button>
      )}
      <span className="soft">{count} of {table.total} runs</span>
    </div>
  );
}
