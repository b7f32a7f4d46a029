// The form of a new experiment: what varies, what is measured, how many runs.
import { useMemo } from "react";
import type { FormEvent } from "react";
import { runs, start } from "../runs/live";
import { focus } from "../state/focus";
import { useStore } from "../state/store";
import { Button } from "../ui/controls";
import { DataRows } from "./data_rows";
import { asKind, isAnalysis, nameOfMeasure, obstacle, optionIn, optionKey, optionsOf,
  requestOf, runsOf } from "./design";
import type { Design } from "./design";
import { changeDesign, designOf, designs } from "./designs";
import { FixRows, MeasureRows, VaryRows } from "./form_rows";
import { kinds, optionText } from "./kinds";
import { LiveTable } from "./live_table";
import { useQuantities } from "./quantities";

interface ChangeProps {
  design: Design;
  change: (part: Partial<Design>) => void;
}

function Option({ design, change, name }: ChangeProps & { name: string }) {
  const { label, placeholder, choices, is_flag } = optionText(design.kind, name);
  const value = optionIn(design, name);
  const set = (text: string) => change({
    options: { ...design.options, [optionKey(design.kind, name)]: text },
  });
  if (is_flag) {
    return (
      <label className="flag-field">
        <input type="checkbox" checked={value === "true"}
          onChange={(event) => set(event.target.checked ? "true" : "")} />{label}
      </label>
    );
  }
  return (
    <label className="small-field">{label}
      {choices ? (
        <select value={value} onChange={(event) => set(event.target.value)}>
          {choices.map(([word, text]) => <option key={word} value={word}>{text}</option>)}
        </select>
      ) : (
        <input value={value} placeholder={placeholder} spellCheck={false}
          onChange={(event) => set(event.target.value)} />
      )}
    </label>
  );
}

/** Whether draws go on until the mean of a measure is known, and how well. */
function UntilKnown({ design, change }: ChangeProps) {
  const names = design.measures.map((m) => nameOfMeasure(m.text)).filter(Boolean);
  return (
    <fieldset className="until-known">
      <legend>How many runs</legend>
      <div className="form-row">
        <label className="flag-field">
          <input type="checkbox" checked={design.untilMeasure !== ""}
            disabled={names.length === 0}
            onChange={(event) => change({
              untilMeasure: event.target.checked ? names[0] ?? "" : "",
            })} />
          until the mean of
        </label>
        <select value={design.untilMeasure} aria-label="Measure that is to be known"
          disabled={design.untilMeasure === ""}
          onChange={(event) => change({ untilMeasure: event.target.value })}>
          {design.untilMeasure === "" && <option value="">a measure</option>}
          {names.map((name) => <option key={name}>{name}</option>)}
        </select>
        is known to
        <input value={design.untilWidth} aria-label="Half width of its 95 % interval"
          className="narrow" placeholder="1%" spellCheck={false}
          disabled={design.untilMeasure === ""}
          onChange={(event) => change({ untilWidth: event.target.value })} />
      </div>
      <p className="soft">{names.length === 0 ? "Measure something first, then runs can go "
        + "on until its mean is known." : "The width is that of the 95 % interval to both "
        + "sides: 0.01 or 1%."}</p>
    </fieldset>
  );
}

function labelOfStart(count: number | null): string {
  return count === null ? "Start" : `Start ${count} run${count === 1 ? "" : "s"}`;
}

export default function DesignPane({ path }: { path: string }) {
  const name = useStore(focus, (f) => (f.path === path ? f.class : ""));
  const { list, values } = useQuantities(path, name);
  const design = useStore(designs, ({ of }) => designOf(of, path));
  const started = useStore(runs, (r) => r.list.reduce<number | null>(
    (newest, run) => (run.form === path ? run.id : newest), null));
  const change = (part: Partial<Design>) =>
    changeDesign(path, (old) => ({ ...old, ...part }));
  const why = obstacle(design);
  const count = useMemo(() => runsOf(design), [design]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (why) return;
    void start(requestOf(design, path, name), path);
  };
  const parts = { design, change, quantities: list };
  const no_input = design.kind === "frequency" && list.length > 0
    && !list.some((q) => q.kind === "input");
  return (
    <div className="design-pane">
      <form onSubmit={submit}>
        <h1>Experiment with {name || path}</h1>
        <div className="kinds" role="radiogroup" aria-label="Kind of experiment">
          {kinds.map(({ id, title, text }) => (
            <button key={id} type="button" role="radio" aria-checked={design.kind === id}
              onClick={() => changeDesign(path, (old) => asKind(old, id))}>
              <strong>{title}</strong><span className="soft">{text}</span>
            </button>
          ))}
        </div>
        <p className="soft kind-text">{kinds.find((k) => k.id === design.kind)?.text}.</p>
        {no_input && (
          <div className="bar info"><span>{name} has no inputs to answer to: declare one,
            <code> input Real u</code>.</span></div>
        )}
        {design.kind === "calibrate" && <DataRows {...parts} model={path} />}
        <VaryRows {...parts} values={values} />
        {isAnalysis(design.kind) && <FixRows {...parts} />}
        {design.kind !== "calibrate" && !isAnalysis(design.kind)
          && <MeasureRows {...parts} />}
        {design.kind === "montecarlo" && <UntilKnown design={design} change={change} />}
        <fieldset className="options">
          <legend>Options</legend>
          {optionsOf[design.kind].map((option) => (
            <Option key={option} design={design} change={change} name={option} />
          ))}
        </fieldset>
        <div className="form-end">
          <Button kind="primary" icon="run" submit disabled={Boolean(why)}>
            {labelOfStart(count)}
          </Button>
          {why && <span className="soft">First {why}.</span>}
        </div>
      </form>
      {started !== null && <LiveTable run={started} />}
    </div>
  );
}
