// The form of a new experiment: what varies, what is measured, how many runs.
import { useEffect, useMemo, useState } from "react";
import type { FormEvent } from "react";
import { ask, withQuery } from "../api/client";
import type { FileItem } from "../api/types";
import { allFiles } from "../library/all_files";
import { inquire } from "../language/client";
import type { Description, Parameter } from "../language/protocol";
import { runs, start } from "../runs/live";
import { countValues } from "../runs/variants";
import { focus } from "../state/focus";
import { openTab } from "../state/layout";
import { uriOf } from "../state/session";
import { recall, remember, useStore } from "../state/store";
import { Button, IconButton } from "../ui/controls";
import { emptyDesign, obstacle, requestOf, runsOf } from "./design";
import type { Design, Kind } from "./design";
import { LiveTable } from "./live_table";

const kinds: { id: Kind; title: string; text: string; values: string; example: string }[] = [
  { id: "sweep", title: "Sweep", text: "Runs over a grid, a list or at random",
    values: "range, list or distribution",
    example: "1:0.5:5, {1,2,5}, logspace(0,3,10) or normal(4,0.2)" },
  { id: "calibrate", title: "Calibrate", text: "Estimates parameters from measured data",
    values: "bounds", example: "[0.1,10], or 1[0.1,10] from a guess" },
  { id: "optimize", title: "Optimise", text: "Seeks the values that do best",
    values: "bounds", example: "[0.1,10], log[0.1,10] or integer[1,5]" },
  { id: "sensitivity", title: "Sensitivity", text: "Finds what results depend on",
    values: "distribution or bounds", example: "[0.1,10] or normal(4,0.2)" },
];

function useParameters(path: string, name: string): Parameter[] {
  const [list, setList] = useState<Parameter[]>([]);
  useEffect(() => {
    if (!name) return;
    inquire<unknown, Description | null>("orrery/describe",
      { uri: uriOf(path), class: name })
      .then((found) => setList(found?.parameters ?? []))
      .catch(() => undefined);
  }, [path, name]);
  return list;
}

interface PartProps {
  design: Design;
  change: (part: Partial<Design>) => void;
}

function VaryRows({ design, change, names }: PartProps & { names: Parameter[] }) {
  const kind = kinds.find((k) => k.id === design.kind);
  const set = (at: number, part: { name?: string; value?: string }) => change({
    vary: design.vary.map((v, i) => (i === at ? { ...v, ...part } : v)),
  });
  return (
    <fieldset>
      <legend>What varies</legend>
      <datalist id="parameter-names">
        {names.map((p) => <option key={p.name} value={p.name}>{p.text}</option>)}
      </datalist>
      {design.vary.map((row, i) => {
        const count = countValues(row.value);
        return (
          <div className="form-row" key={i}>
            <input value={row.name} list="parameter-names" placeholder="parameter"
              aria-label="Parameter" spellCheck={false}
              onChange={(event) => set(i, { name: event.target.value })} />
            <input className="wide" value={row.value} placeholder={kind?.values}
              aria-label={`Values of ${row.name || "the parameter"}`} spellCheck={false}
              onChange={(event) => set(i, { value: event.target.value })} />
            <span className="soft count">
              {design.kind === "sweep" && row.value.trim() !== ""
                && (count === 0 ? "random" : `${count} value${count === 1 ? "" : "s"}`)}
            </span>
            <IconButton icon="close" label="Remove this line"
              disabled={design.vary.length < 2}
              onClick={() => change({ vary: design.vary.filter((_, j) => j !== i) })} />
          </div>
        );
      })}
      <p className="soft">For example {kind?.example}.</p>
      <Button icon="plus" onClick={() => change({
        vary: [...design.vary, { name: "", value: "" }],
      })}>Another parameter</Button>
    </fieldset>
  );
}

function MeasureRows({ design, change }: PartProps) {
  const optimises = design.kind === "optimize";
  const set = (at: number, part: Partial<Design["measures"][number]>) => change({
    measures: design.measures.map((m, i) => (i === at ? { ...m, ...part } : m)),
  });
  return (
    <fieldset>
      <legend>{optimises ? "What is sought" : "What is measured"}</legend>
      {design.measures.map((row, i) => (
        <div className="form-row" key={i}>
          {optimises && (
            <select value={row.goal === "keep" ? "minimize" : row.goal} aria-label="Goal"
              onChange={(event) => set(i, {
                goal: event.target.value === "maximize" ? "maximize" : "minimize",
              })}>
              <option value="minimize">small</option>
              <option value="maximize">large</option>
            </select>
          )}
          <input className="wide" value={row.text} placeholder="peak=max(w)"
            aria-label="Measure" spellCheck={false}
            onChange={(event) => set(i, { text: event.target.value })} />
          <IconButton icon="close" label="Remove this line" onClick={() => change({
            measures: design.measures.filter((_, j) => j !== i),
          })} />
        </div>
      ))}
      <p className="soft">{optimises
        ? "Two measures or more make a Pareto front. For example integral(e^2)."
        : "For example peak=max(w), final(x) or integral(e^2). Without one, all final values are kept."}</p>
      <Button icon="plus" onClick={() => change({
        measures: [...design.measures, {
          text: "", goal: optimises ? "minimize" : "keep",
        }],
      })}>Another measure</Button>
    </fieldset>
  );
}

/** The columns of a CSV text: the words of its first line. */
export function columnsOf(csv: string): string[] {
  const line = csv.slice(0, 10000).split(/\r?\n/)[0] ?? "";
  return line.split(/[,;\t]/).map((word) => word.trim().replace(/^"|"$/g, ""))
    .filter(Boolean);
}

function DataRows({ design, change }: PartProps) {
  const [files, setFiles] = useState<FileItem[]>([]);
  const [columns, setColumns] = useState<string[]>([]);
  useEffect(() => {
    allFiles().then((files) => setFiles(files.filter((f) => f.path.endsWith(".csv"))))
      .catch(() => undefined);
  }, []);
  useEffect(() => {
    if (!design.data) {
      setColumns([]);
      return;
    }
    ask(withQuery("/api/file", { path: design.data }))
      .then((answer) => answer.text())
      .then((text) => setColumns(columnsOf(text).filter((c) => c !== "time")))
      .catch(() => setColumns([]));
  }, [design.data]);
  const signalOf = (column: string) =>
    design.match.find((m) => m.value === column)?.name ?? "";
  return (
    <fieldset>
      <legend>Measured data</legend>
      <div className="form-row">
        <input className="wide" list="csv-files" value={design.data}
          placeholder="a CSV file of this folder" aria-label="File of measured data"
          onChange={(event) => change({ data: event.target.value })} />
        <datalist id="csv-files">
          {files.map((f) => <option key={f.path} value={f.path} />)}
        </datalist>
      </div>
      {columns.map((column) => (
        <div className="form-row" key={column}>
          <span className="wide">column <code>{column}</code> measures</span>
          <input value={signalOf(column)} placeholder={column}
            aria-label={`Signal of column ${column}`} spellCheck={false}
            onChange={(event) => change({
              match: [...design.match.filter((m) => m.value !== column),
                { name: event.target.value, value: column }],
            })} />
        </div>
      ))}
    </fieldset>
  );
}

function SmallField({ label, value, placeholder, onChange }: {
  label: string; value: string; placeholder: string; onChange: (text: string) => void;
}) {
  return (
    <label className="small-field">{label}
      <input value={value} placeholder={placeholder} spellCheck={false}
        onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}

function Options({ design, change }: PartProps) {
  const sweeps = design.kind === "sweep";
  return (
    <fieldset className="options">
      <legend>How</legend>
      {sweeps && (
        <label className="small-field">design
          <select value={design.design}
            onChange={(event) => change({ design: event.target.value })}>
            {["auto", "grid", "list", "random", "latin-hypercube", "sobol"].map((word) =>
              <option key={word}>{word}</option>)}
          </select>
        </label>
      )}
      {sweeps && <SmallField label="runs" value={design.runs} placeholder="1000"
        onChange={(runs) => change({ runs })} />}
      {sweeps && <SmallField label="until known" value={design.untilKnown}
        placeholder="max(x)=1%" onChange={(untilKnown) => change({ untilKnown })} />}
      <SmallField label="stop" value={design.stop} placeholder="as in model"
        onChange={(stop) => change({ stop })} />
      <SmallField label="seed" value={design.seed} placeholder="1"
        onChange={(seed) => change({ seed })} />
      <SmallField label="jobs" value={design.jobs} placeholder="all"
        onChange={(jobs) => change({ jobs })} />
    </fieldset>
  );
}

export default function DesignPane({ path }: { path: string }) {
  const name = useStore(focus, (f) => (f.path === path ? f.class : ""));
  const parameters = useParameters(path, name);
  const key = `design.${path}`;
  const [design, setDesign] = useState<Design>(() => recall(key, emptyDesign));
  const started = useStore(runs, (r) => r.list.reduce<number | null>(
    (newest, run) => (run.form === path ? run.id : newest), null));
  const change = (part: Partial<Design>) => setDesign((old) => {
    const next = { ...old, ...part };
    remember(key, next);
    return next;
  });
  const why = obstacle(design);
  const count = useMemo(() => runsOf(design), [design]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (why) return;
    void start(requestOf(design, path, name), path);
  };
  return (
    <div className="design-pane">
      <form onSubmit={submit}>
        <h1>Experiment with {name || path}</h1>
        <div className="kinds" role="radiogroup" aria-label="Kind of experiment">
          {kinds.map(({ id, title, text }) => (
            <button key={id} type="button" role="radio" aria-checked={design.kind === id}
              onClick={() => change({ kind: id })}>
              <strong>{title}</strong><span className="soft">{text}</span>
            </button>
          ))}
        </div>
        <VaryRows design={design} change={change} names={parameters} />
        {design.kind === "calibrate" ? <DataRows design={design} change={change} />
          : <MeasureRows design={design} change={change} />}
        <Options design={design} change={change} />
        <div className="form-end">
          <Button kind="primary" icon="run" submit disabled={Boolean(why)}>
            {count === null ? "Start" : `Start ${count} run${count === 1 ? "" : "s"}`}
          </Button>
          {why && <span className="soft">First {why}.</span>}
        </div>
      </form>
      {started !== null && (
        <LiveTable run={started} onEnded={(id) => openTab({ kind: "experiment", id })} />
      )}
    </div>
  );
}
