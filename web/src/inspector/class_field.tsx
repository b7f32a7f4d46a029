// The field of a replaceable class: which of the classes that fit stands for it.
import { useEffect, useId, useState } from "react";
import { edit } from "../diagram/gestures";
import { inquire } from "../language/client";
import type { Parameter } from "../language/protocol";
import { focus } from "../state/focus";
import { notifyError } from "../state/notices";
import { uriOf } from "../state/session";

interface Fitting {
  name: string;
  text: string;
}

/** The packages that all names have in common, with their dots. */
export function commonPackages(names: string[]): string {
  const [first = ""] = names;
  const parts = first.split(".").slice(0, -1);
  while (parts.length > 0 && !names.every((n) => n.startsWith(`${parts.join(".")}.`))) {
    parts.pop();
  }
  return parts.length > 0 ? `${parts.join(".")}.` : "";
}

function useFitting(constraint: string): [Fitting[], () => void] {
  const [items, setItems] = useState<Fitting[]>([]);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let left = false;
    inquire<unknown, { items: Fitting[] }>("orrery/fitting", {
      uri: uriOf(focus.get().path), constraint,
    }).then((found) => {
      if (!left) setItems(found.items);
    }).catch((reason: unknown) => notifyError(`list what extends ${constraint}`, reason));
    return () => {
      left = true;
    };
  }, [constraint, asked]);
  return [items, () => setAsked((count) => count + 1)];
}

export function ClassField({ field, component }: { field: Parameter; component: string }) {
  const id = useId();
  const [items, askAgain] = useFitting(field.constraint ?? "");
  const usual = field.default ?? "";
  const names = [...items.map((item) => item.name), usual];
  const packages = commonPackages(names);
  const shorten = (name: string) => name.slice(name.startsWith(packages)
    ? packages.length : 0);
  // The written name may be shorter than the full name.
  const chosen = items.find(({ name }) => name === field.value
    || name.endsWith(`.${field.value}`))?.name ?? field.value ?? "";
  const choose = (name: string) => {
    const { path, class: model } = focus.get();
    void edit(path, model, [{
      op: "chooseClass", component, kind: field.type, name: field.name,
      type: name || null,
    }], `choose ${field.name}`);
  };
  return (
    <div className="parameter">
      <label htmlFor={id} title={`replaceable ${field.type} ${field.name}\nextends ${field.constraint}`}>
        {field.name}
      </label>
      <span className="parameter-value">
        <select id={id} value={chosen} title={chosen || usual} onFocus={askAgain}
          onChange={(event) => choose(event.target.value)}>
          <option value="">{shorten(usual)} (default)</option>
          {items.map(({ name, text }) => (
            <option key={name} value={name} title={text}>{shorten(name)}</option>
          ))}
          {chosen && !items.some(({ name }) => name === chosen)
            && <option value={chosen}>{chosen}</option>}
        </select>
      </span>
      {field.text && <span className="parameter-text">{field.text}</span>}
    </div>
  );
}
