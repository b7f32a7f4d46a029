// The lines of an experiment's form: what varies, what is set, what is measured.
import { useId } from "react";
import type { Quantity } from "../language/protocol";
import type { Override } from "../runs/settings";
import { countValues } from "../runs/variants";
import { Button, IconButton } from "../ui/controls";
import { isAnalysis, rowsOf } from "./design";
import type { Design, Measure } from "./design";
import { kinds } from "./kinds";
import { suggested } from "./suggestions";

export interface PartProps {
  design: Design;
  change: (part: Partial<Design>) => void;
  quantities: Quantity[];
}

export function Names({ id, list }: { id: string; list: Quantity[] }) {
  return (
    <datalist id={id}>
      {list.map((q) => (
        <option key={q.name} value={q.name}>
          {[q.unit, q.text].filter(Boolean).join(", ")}</option>
      ))}
    </datalist>
  );
}

function titleOfRows(design: Design): string {
  if (isAnalysis(design.kind)) return "What is set";
  return design.kind === "calibrate" ? "What is estimated" : "What varies";
}

interface RowsProps extends PartProps {
  /** Values of parameters in the model's text. */
  values: Map<string, number>;
}

function noteOf(kind: Design["kind"], value: string): string {
  if (kind !== "sweep" || value.trim() === "") return "";
  const count = countValues(value);
  return count === 0 ? "random" : `${count} value${count === 1 ? "" : "s"}`;
}

export function VaryRows({ design, change, quantities, values }: RowsProps) {
  const id = useId();
  const kind = kinds.find((k) => k.id === design.kind);
  const rows = rowsOf(design);
  const setRows = (next: Override[]) =>
    change({ rows: { ...design.rows, [design.kind]: next } });
  const set = (at: number, part: Partial<Override>) =>
    setRows(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  const rename = (at: number, row: Override, name: string) => {
    const untouched = row.value === ""
      || row.value === suggested(design.kind, values.get(row.name));
    const value = untouched && !isAnalysis(design.kind)
      ? suggested(design.kind, values.get(name)) : row.value;
    set(at, { name, value });
  };
  // States are varied by their starts.
  const names = quantities.filter((q) => q.kind === "parameter"
    || (q.kind === "variable" && design.kind === "calibrate"));
  return (
    <fieldset>
      <legend>{titleOfRows(design)}</legend>
      <Names id={id} list={names} />
      {rows.map((row, i) => (
        <div className="form-row" key={i}>
          <input value={row.name} list={id} placeholder="parameter"
            aria-label="Parameter" spellCheck={false}
            onChange={(event) => rename(i, row, event.target.value)} />
          <input className="wide" value={row.value} placeholder={kind?.values}
            aria-label={`Values of ${row.name || "the parameter"}`} spellCheck={false}
            onChange={(event) => set(i, { value: event.target.value })} />
          <span className="soft unit-name">
            {quantities.find((q) => q.name === row.name)?.unit}</span>
          <span className="soft count">{noteOf(design.kind, row.value)}</span>
          <IconButton icon="close" label="Remove this line"
            disabled={rows.length < 2}
            onClick={() => setRows(rows.filter((_, j) => j !== i))} />
        </div>
      ))}
      <p className="soft">For example {kind?.example}.</p>
      <Button icon="plus" onClick={() => setRows([...rows, { name: "", value: "" }])}>
        Another parameter</Button>
    </fieldset>
  );
}

/** Quantities with a given value at the point that is looked at. */
export function FixRows({ design, change, quantities }: PartProps) {
  const id = useId();
  const set = (at: number, part: Partial<Override>) => change({
    fix: design.fix.map((row, i) => (i === at ? { ...row, ...part } : row)),
  });
  return (
    <fieldset>
      <legend>What is fixed at that point</legend>
      <Names id={id} list={quantities.filter((q) => q.kind !== "parameter")} />
      {design.fix.map((row, i) => (
        <div className="form-row" key={i}>
          <input value={row.name} list={id} placeholder="quantity"
            aria-label="Fixed quantity" spellCheck={false}
            onChange={(event) => set(i, { name: event.target.value })} />
          <input className="wide" value={row.value} placeholder="value" spellCheck={false}
            aria-label={`Value of ${row.name || "the fixed quantity"}`}
            onChange={(event) => set(i, { value: event.target.value })} />
          <IconButton icon="close" label="Remove this line" onClick={() => change({
            fix: design.fix.filter((_, j) => j !== i),
          })} />
        </div>
      ))}
      <Button icon="plus" onClick={() => change({
        fix: [...design.fix, { name: "", value: "" }],
      })}>Fix a quantity</Button>
    </fieldset>
  );
}

export function MeasureRows({ design, change, quantities }: PartProps) {
  const optimises = design.kind === "optimize";
  const set = (at: number, part: Partial<Measure>) => change({
    measures: design.measures.map((m, i) => (i === at ? { ...m, ...part } : m)),
  });
  const first = quantities.find((q) => q.kind === "variable" || q.kind === "output");
  const example = `max(${first?.name ?? "w"})`;
  return (
    <fieldset>
      <legend>{optimises ? "What is sought" : "What is measured"}</legend>
      {design.measures.map((row, i) => (
        <div className="form-row" key={i}>
          {optimises && (
            <select value={row.goal} aria-label="Goal"
              onChange={(event) => set(i, {
                goal: event.target.value === "maximize" ? "maximize" : "minimize",
              })}>
              <option value="minimize">small</option>
              <option value="maximize">large</option>
            </select>
          )}
          <input className="wide" value={row.text} placeholder={`peak=${example}`}
            aria-label="Measure" spellCheck={false}
            onChange={(event) => set(i, { text: event.target.value })} />
          <IconButton icon="close" label="Remove this line" onClick={() => change({
            measures: design.measures.filter((_, j) => j !== i),
          })} />
        </div>
      ))}
      <p className="soft">{optimises
        ? "Two measures or more make a Pareto front. For example integral(e^2)."
        : `For example peak=${example}, final(x) or integral(e^2). Without one, all final `
          + "values are kept."}</p>
      <Button icon="plus" onClick={() => change({
        measures: [...design.measures, { text: "", goal: "minimize" }],
      })}>Another measure</Button>
    </fieldset>
  );
}
