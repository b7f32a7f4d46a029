// The measured data of a calibration: a file, and which column is which signal.
import { useEffect, useId, useRef, useState } from "react";
import type { FileItem } from "../api/types";
import { allFiles } from "../library/all_files";
import { notifyError } from "../state/notices";
import { Button } from "../ui/controls";
import { Names } from "./form_rows";
import type { PartProps } from "./form_rows";
import { matchedByName, readTable, takeData, textAt } from "./measured_data";
import type { DataTable } from "./measured_data";

function useTableAt(path: string): DataTable | null {
  const [table, setTable] = useState<DataTable | null>(null);
  useEffect(() => {
    setTable(null);
    if (!path.endsWith(".csv")) return undefined;
    let left = false;
    textAt(path)
      .then((text) => {
        if (!left) setTable(readTable(text));
      })
      .catch((reason: unknown) => {
        if (!left) notifyError(`read ${path}`, reason);
      });
    return () => {
      left = true;
    };
  }, [path]);
  return table;
}

function Matching({ design, change, quantities, table }: PartProps & { table: DataTable }) {
  const id = useId();
  const match = (column: string, signal: string) => change({
    match: [...design.match.filter((m) => m.value !== column),
      ...(signal ? [{ name: signal, value: column }] : [])],
  });
  return (
    <>
      <p className="soft">
        {table.rows} rows over <code>{table.time?.name}</code>, in {table.time?.unit || "s"}.
        A column without a unit is in that of its signal.</p>
      <Names id={id} list={quantities.filter((q) => q.kind !== "parameter")} />
      {table.columns.map((column) => {
        const signal = design.match.find((m) => m.value === column.name)?.name ?? "";
        const unit = quantities.find((q) => q.name === signal)?.unit;
        return (
          <div className="form-row match-row" key={column.name}>
            <span className="match-column"><code>{column.name}</code>
              {column.unit && <span className="badge">{column.unit}</span>} measures</span>
            <input value={signal} list={id} placeholder="nothing: it is left out"
              aria-label={`Signal of column ${column.name}`} spellCheck={false}
              onChange={(event) => match(column.name, event.target.value)} />
            <span className="soft unit-name">{unit}</span>
          </div>
        );
      })}
    </>
  );
}

export function DataRows(props: PartProps & { model: string }) {
  const { design, change, quantities, model } = props;
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<FileItem[]>([]);
  const table = useTableAt(design.data);
  useEffect(() => {
    allFiles().then((list) => setFiles(list.filter((f) => f.path.endsWith(".csv"))))
      .catch(() => undefined);
  }, [design.data]);
  // Columns that are called as signals measure them, until the user says otherwise.
  const matched_by_name = table && design.match.length === 0
    ? matchedByName(table.columns, quantities) : [];
  const key = JSON.stringify(matched_by_name);
  useEffect(() => {
    if (matched_by_name.length > 0) change({ match: matched_by_name });
  }, [key]);
  return (
    <fieldset className="data-drop">
      <legend>Measured data</legend>
      <div className="form-row">
        <input className="wide" list={id} value={design.data}
          placeholder="drop a CSV file here, or name one of this folder"
          aria-label="File of measured data"
          onChange={(event) => change({ data: event.target.value, match: [] })} />
        <datalist id={id}>
          {files.map((f) => <option key={f.path} value={f.path} />)}
        </datalist>
        <Button icon="folder" onClick={() => picker.current?.click()}>Another file…</Button>
        <input ref={picker} type="file" accept=".csv" hidden
          aria-label="A CSV file of this machine"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) void takeData(file, model);
          }} />
      </div>
      {table && <Matching design={design} change={change} quantities={quantities}
        table={table} />}
    </fieldset>
  );
}
