// The field of a parameter: its value with a unit, its default, its choices.
import { useEffect, useId, useRef, useState } from "react";
import { edit } from "../diagram/gestures";
import type { Parameter } from "../language/protocol";
import { focus } from "../state/focus";
import { recall, remember } from "../state/store";
import { shownIn, written } from "./units";

interface ParameterFieldProps {
  parameter: Parameter;
  /** The component that is modified; null for a parameter of the class. */
  component: string | null;
}

async function write(
  component: string | null, parameter: Parameter, text: string | null,
): Promise<boolean> {
  const { path, class: name } = focus.get();
  return edit(path, name, [{
    op: "setModifier", component: component ?? "", text,
    path: parameter.of ? [parameter.of, parameter.name] : parameter.name,
  }], `set ${parameter.name}`);
}

function firstUnit(parameter: Parameter): string {
  const kept = recall<Record<string, string>>("units", {})[parameter.unit];
  const names = parameter.units.map((u) => u.name);
  if (kept && names.includes(kept)) return kept;
  return names.includes(parameter.displayUnit) ? parameter.displayUnit : parameter.unit;
}

export function ParameterField({ parameter, component }: ParameterFieldProps) {
  const id = useId();
  const [unitName, setUnitName] = useState(() => firstUnit(parameter));
  const unit = parameter.units.find((u) => u.name === unitName);
  const shown = parameter.value === null ? "" : shownIn(parameter.value, unit);
  const [text, setText] = useState(shown);
  // Text being typed stays, also when an earlier value comes to be shown.
  const isTyping = useRef(false);
  useEffect(() => {
    if (!isTyping.current) setText(shown);
  }, [shown]);
  const commit = (typed: string) => {
    isTyping.current = false;
    if (typed === shown) return;
    if (typed.trim() === "") {
      void write(component, parameter, null);
      return;
    }
    const next = written(typed, unit, parameter.units);
    if (next === parameter.value) setText(shown);
    else {
      void write(component, parameter, next).then((done) => {
        if (!done) setText(shown);
      });
    }
  };
  const chooseUnit = (name: string) => {
    setUnitName(name);
    remember("units", {
      ...recall<Record<string, string>>("units", {}), [parameter.unit]: name,
    });
  };
  const placeholder = parameter.default === null ? "required"
    : shownIn(parameter.default, unit);
  const choices = parameter.choices ?? (parameter.type === "Boolean"
    ? [{ text: "true", value: "true" }, { text: "false", value: "false" }] : []);
  const origin = parameter.from ? `\nfrom ${parameter.from}` : "";
  return (
    <div className="parameter" data-enabled={parameter.enable}>
      <label htmlFor={id} title={`${parameter.type} ${parameter.name}${origin}`}>
        {parameter.name}
      </label>
      <span className="parameter-value">
        {choices.length > 0 ? (
          <select id={id} value={parameter.value ?? ""} disabled={!parameter.enable}
            onChange={(event) => commit(event.target.value)}>
            <option value="">{placeholder} (default)</option>
            {choices.map((c) => <option key={c.value} value={c.value}>{c.text}</option>)}
            {parameter.value !== null
              && !choices.some((c) => c.value === parameter.value)
              && <option value={parameter.value}>{parameter.value}</option>}
          </select>
        ) : (
          <input id={id} value={text} placeholder={placeholder} spellCheck={false}
            disabled={!parameter.enable} data-set={parameter.value !== null}
            onChange={(event) => {
              isTyping.current = true;
              setText(event.target.value);
            }}
            onBlur={() => commit(text)}
            onKeyDown={(event) => {
              if (event.key === "Enter") commit(text);
              if (event.key === "Escape") {
                isTyping.current = false;
                setText(shown);
              }
            }} />
        )}
        {parameter.units.length > 1 ? (
          <select className="unit" value={unitName} aria-label={`Unit of ${parameter.name}`}
            onChange={(event) => chooseUnit(event.target.value)}>
            {parameter.units.map((u) => <option key={u.name}>{u.name}</option>)}
          </select>
        ) : parameter.unit && parameter.unit !== "1"
          && <span className="unit-name">{parameter.unit}</span>}
      </span>
      {parameter.text && <span className="parameter-text">{parameter.text}</span>}
    </div>
  );
}
