// The inspector: parameters of what is selected, or of the class itself.
import { useEffect, useState } from "react";
import { edit } from "../diagram/gestures";
import { exportFmu, isFmu } from "../fmu/description";
import { FmuInspector } from "../fmu/fmu_inspector";
import { inquire } from "../language/client";
import type { Description, Parameter } from "../language/protocol";
import { documents } from "../state/documents";
import { focus } from "../state/focus";
import { openTab } from "../state/layout";
import { uriOf } from "../state/session";
import { useStore } from "../state/store";
import { Button, Empty, IconButton } from "../ui/controls";
import { ClassField } from "./class_field";
import { ParameterField } from "./parameter_field";

interface Shown {
  description: Description;
  component: string | null;
}

function useDescription(): Shown | null {
  const { path, class: name, parts } = useStore(focus, (f) => f);
  const version = useStore(documents, (d) => d.open[path]?.version ?? 0);
  const [shown, setShown] = useState<Shown | null>(null);
  const component = parts.length === 1 ? parts[0] ?? null : null;
  useEffect(() => {
    if (!path || !name) {
      setShown(null);
      return undefined;
    }
    let left = false;
    const wait = setTimeout(() => {
      inquire<unknown, Description | null>("orrery/describe", {
        uri: uriOf(path), class: name, ...(component ? { component } : {}),
      }).then((description) => {
        if (!left) setShown(description ? { description, component } : null);
      }).catch(() => undefined);
    }, 60);
    return () => {
      left = true;
      clearTimeout(wait);
    };
  }, [path, name, component, version]);
  return shown;
}

/** Parameters by tab and group, in the order in which they were declared. */
function grouped(list: Parameter[]): Map<string, Map<string, Parameter[]>> {
  const tabs = new Map<string, Map<string, Parameter[]>>();
  for (const parameter of list) {
    const tab = parameter.of ? "General" : parameter.tab || "General";
    const group = parameter.of || parameter.group || "Parameters";
    const groups = tabs.get(tab) ?? new Map<string, Parameter[]>();
    tabs.set(tab, groups);
    groups.set(group, [...(groups.get(group) ?? []), parameter]);
  }
  return tabs;
}

function NameField({ component }: { component: string }) {
  const [text, setText] = useState(component);
  useEffect(() => setText(component), [component]);
  const { path, class: name } = focus.get();
  const rename = async () => {
    if (text === component) return;
    const done = await edit(path, name,
      [{ op: "rename", component, name: text }], `rename ${component}`);
    if (done) focus.set({ parts: [text] });
    else setText(component);
  };
  return (
    <input className="name-field" value={text} aria-label="Name of the component"
      spellCheck={false} onChange={(event) => setText(event.target.value)}
      onBlur={() => void rename()}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setText(component);
      }} />
  );
}

function Parameters({ shown }: { shown: Shown }) {
  const tabs = grouped(shown.description.parameters);
  const names = [...tabs.keys()];
  const [chosen, setChosen] = useState(names[0] ?? "");
  const tab = tabs.has(chosen) ? chosen : names[0] ?? "";
  if (names.length === 0) {
    return <p className="tree-note">{shown.component
      ? "This component has no parameters." : "This class has no parameters."}</p>;
  }
  return (
    <>
      {names.length > 1 && (
        <div className="inspector-tabs" role="tablist">
          {names.map((name) => (
            <button key={name} type="button" role="tab" aria-selected={name === tab}
              onClick={() => setChosen(name)}>{name}</button>
          ))}
        </div>
      )}
      {[...(tabs.get(tab) ?? [])].map(([group, list]) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {list.map((parameter) => {
            const key = `${shown.component ?? ""}/${parameter.of ?? ""}/${parameter.name}`;
            return parameter.constraint && shown.component
              ? <ClassField key={key} field={parameter} component={shown.component} />
              : <ParameterField key={key} parameter={parameter}
                component={shown.component} />;
          })}
        </fieldset>
      ))}
    </>
  );
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

export function Inspector() {
  const shown = useDescription();
  const path = useStore(focus, (f) => f.path);
  const count = useStore(focus, (f) => f.parts.length);
  if (isFmu(path)) return <FmuInspector path={path} />;
  if (!shown) {
    return (
      <aside className="inspector" aria-label="Inspector">
        <header className="pane-head"><h1>Inspector</h1></header>
        <Empty icon="tune" title="Nothing is selected">
          <p>Open a model, then click a component of its diagram to see and set its
            parameters.</p>
        </Empty>
      </aside>
    );
  }
  const { description, component } = shown;
  return (
    <aside className="inspector" aria-label="Inspector">
      <header className="pane-head">
        <h1>{component ? "Component" : "Class"}</h1>
        <span className="grow" />
        <IconButton icon="book" label="Documentation"
          onClick={() => openTab({
            kind: "documentation", class: component ? description.type : description.name,
          })} />
      </header>
      <div className="inspector-body">
        {component ? <NameField component={component} />
          : <p className="inspector-name">{lastWord(description.name)}</p>}
        <p className="inspector-type">{component ? description.type : description.name}</p>
        {description.text && <p className="soft">{description.text}</p>}
        {description.condition && (
          <p className="soft">present if <code>{description.condition}</code></p>
        )}
        {count > 1 && <p className="soft">{count} components are selected.</p>}
        <Parameters shown={shown} />
        {!component && ["model", "block", "class"].includes(description.kind)
          && !path.startsWith("/") && (
          <Button title="For other tools, by FMI 3.0"
            onClick={() => void exportFmu()}>Export as FMU</Button>
        )}
      </div>
    </aside>
  );
}
