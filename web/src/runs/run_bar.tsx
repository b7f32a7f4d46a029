// The bar between the tabs and the drawer: settings of a run, its progress.
import { useId } from "react";
import { layout, openTab } from "../state/layout";
import { focus } from "../state/focus";
import { useStore } from "../state/store";
import { Button, IconButton } from "../ui/controls";
import { currentRun, isGoing, runs, setNow, startRun, stopRun, tellRun } from "./live";
import { settings, solvers } from "./settings";
import { countVariants } from "./variants";

function Field(props: {
  label: string; value: string; placeholder: string; width: number;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <span className="run-field">
      <label htmlFor={id}>{props.label}</label>
      <input id={id} value={props.value} placeholder={props.placeholder}
        style={{ width: props.width }} spellCheck={false}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") void startRun();
        }} />
    </span>
  );
}

function Overrides() {
  const overrides = useStore(settings, (s) => s.overrides);
  // A run of one model takes new values; those of many runs do not.
  const takes = useStore(runs, (r) => {
    const run = currentRun(r);
    return isGoing(run) && run?.argv[1] === "run";
  });
  const change = (at: number, part: { name?: string; value?: string }) =>
    settings.set({
      overrides: overrides.map((o, i) => (i === at ? { ...o, ...part } : o)),
    });
  return (
    <>
      {overrides.map((override, i) => (
        <span className="override" key={i}>
          <input value={override.name} placeholder="name" aria-label="Name of a parameter"
            style={{ width: `${Math.max(5, override.name.length + 1)}ch` }}
            spellCheck={false}
            onChange={(event) => change(i, { name: event.target.value })} />
          <span>=</span>
          <input value={override.value} placeholder="value" spellCheck={false}
            aria-label={`Value of ${override.name || "the parameter"}`}
            style={{ width: `${Math.max(5, override.value.length + 1)}ch` }}
            onChange={(event) => change(i, { value: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              void (takes ? setNow(override.name, override.value) : startRun());
            }} />
          {takes && override.name && override.value && (
            <Button title={`Set ${override.name} in the run that goes on (Enter)`}
              onClick={() => void setNow(override.name, override.value)}>Set now</Button>
          )}
          <IconButton icon="close" label={`Do not set ${override.name}`}
            onClick={() => settings.set({
              overrides: overrides.filter((_, j) => j !== i),
            })} />
        </span>
      ))}
      <IconButton icon="plus" label="Set a parameter for this run only"
        onClick={() => settings.set({
          overrides: [...overrides, { name: "", value: "" }],
        })} />
    </>
  );
}

function Progress() {
  const run = useStore(runs, currentRun);
  if (!run) return <span className="soft">F5 runs the model</span>;
  const going = isGoing(run);
  const share = run.stop > 0 ? Math.min(1, run.t / run.stop) : 0;
  const text = run.state === "running"
    ? `${run.phase || "running"}${run.stop > 0 ? `, ${Math.round(share * 100)} %` : ""}`
    : run.state;
  return (
    <span className="progress" data-state={run.state}>
      {going && <progress value={share} max={1} aria-label="Progress of the run" />}
      <span title={run.message}>{text}</span>
      {run.t > 0 && run.state !== "failed" && <span className="soft">t = {Number(run.t.toPrecision(4))} s</span>}
      {run.state === "failed" && (
        <button type="button" className="link"
          onClick={() => layout.set({ drawer: true, drawerPage: "problems" })}>why?</button>
      )}
    </span>
  );
}

export function RunBar() {
  const { path, class: name } = useStore(focus, (f) => f);
  const { stop, solver, tolerance, overrides } = useStore(settings, (s) => s);
  const run = useStore(runs, currentRun);
  const going = isGoing(run);
  const variants = countVariants(overrides);
  return (
    <section className="run-bar" aria-label="Run">
      {going
        ? <Button kind="danger" icon="stop" title="Stop the run (Shift+F5)"
            onClick={() => void stopRun()}>Stop</Button>
        : <Button kind="primary" icon="run" title="Run the model (F5)"
            disabled={!path} onClick={() => void startRun()}>
            {variants > 1 ? `Run ${variants}` : "Run"}</Button>}
      {going && (
        <IconButton icon={run?.state === "paused" ? "run" : "pause"}
          label={run?.state === "paused" ? "Go on" : "Pause"}
          onClick={() => void tellRun({
            do: run?.state === "paused" ? "resume" : "pause",
          })} />
      )}
      <span className="run-model" title={name || path}>
        {name.slice(name.lastIndexOf(".") + 1) || path || "no model"}</span>
      <Field label="stop" value={stop} placeholder="as in model" width={92}
        onChange={(value) => settings.set({ stop: value })} />
      <span className="run-field">
        <label htmlFor="run-solver">solver</label>
        <select id="run-solver" value={solver}
          onChange={(event) => settings.set({ solver: event.target.value })}>
          {solvers.map((word) => <option key={word}>{word}</option>)}
        </select>
      </span>
      <Field label="tolerance" value={tolerance} placeholder="1e-6" width={60}
        onChange={(value) => settings.set({ tolerance: value })} />
      <Overrides />
      <span className="grow" />
      <Progress />
      <IconButton icon="results" label="Show the plots"
        onClick={() => openTab({ kind: "plots" })} />
    </section>
  );
}
