// The inspector of an FMU: values for its next runs, as the file stays as it is.
import { useId } from "react";
import { settings } from "../runs/settings";
import { useStore } from "../state/store";
import { fmus } from "./description";
import type { FmuVariable } from "./description";

function setOverride(name: string, value: string): void {
  settings.update((known) => {
    const others = known.overrides.filter((o) => o.name !== name);
    return { ...known, overrides: value ? [...others, { name, value }] : others };
  });
}

function Field({ variable }: { variable: FmuVariable }) {
  const id = useId();
  const { name, start, unit, description } = variable;
  const value = useStore(settings, (s) =>
    s.overrides.find((o) => o.name === name)?.value ?? "");
  return (
    <div className="parameter">
      <label htmlFor={id} title={name}>{name}</label>
      <span className="parameter-value">
        <input id={id} value={value} placeholder={start ?? ""} spellCheck={false}
          data-set={value !== ""}
          onChange={(event) => setOverride(name, event.target.value)} />
        {unit && <span className="unit-name">{unit}</span>}
      </span>
      {description && <span className="parameter-text">{description}</span>}
    </div>
  );
}

export function FmuInspector({ path }: { path: string }) {
  const fmu = useStore(fmus, (f) => f.of[path]?.description);
  const fields = (fmu?.variables ?? []).filter((v) =>
    ["parameter", "input"].includes(v.causality));
  return (
    <aside className="inspector" aria-label="Inspector">
      <header className="pane-head"><h1>FMU</h1></header>
      <div className="inspector-body">
        <p className="inspector-name">{fmu?.model ?? path}</p>
        <p className="soft">Values for the next runs; the file stays as it is.</p>
        <fieldset>
          <legend>Parameters and inputs</legend>
          {fields.map((v) => <Field key={v.name} variable={v} />)}
          {fields.length === 0 && <p className="tree-note">There are none.</p>}
        </fieldset>
      </div>
    </aside>
  );
}
