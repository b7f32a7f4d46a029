// A plan: its timeline as the last run had it, its text beside, and a new run after
// each change.
import { useCallback, useEffect, useMemo, useState } from "react";
import { isolateHistory } from "@codemirror/commands";
import { getJson } from "../api/client";
import type { FileItem, Span, Window } from "../api/types";
import { jumpTo } from "../editor/shown_range";
import { allFiles } from "../library/all_files";
import { isGoing, runs, start } from "../runs/live";
import { documents, openDocument, refuseFollowed, viewOf } from "../state/documents";
import { openTab } from "../state/layout";
import { notify } from "../state/notices";
import { recall, remember, useStore } from "../state/store";
import { leave } from "../state/trail";
import { Button, Empty } from "../ui/controls";
import { Icon } from "../ui/icon";
import { Bands, StoredBands } from "./bands";
import { barsOfSpans, barsOfText, barsWithProblems, problemsOf } from "./bars";
import type { Bar, Problem } from "./bars";
import { useCarried } from "./carried";
import type { Carried } from "./carried";
import { clockText, movedDuration, readDuration } from "./duration";
import { Gantt, label_width } from "./gantt";
import { movableField, readPlan } from "./plan_text";
import type { Activity } from "./plan_text";

const day_s = 86400;
const pixels = 2000;

/** Models in the folder that may carry out plans; one that is alone is chosen. */
function useModel(path: string): [FileItem[], string, (file: string) => void] {
  const [models, setModels] = useState<FileItem[]>([]);
  const [model, setModel] = useState(() =>
    recall<Record<string, string>>("plans", {})[path] ?? "");
  useEffect(() => {
    allFiles().then((files) => {
      setModels(files.filter((f) => /\.(so|mo)$/.test(f.path)));
      const plugins = files.filter((f) => f.path.endsWith(".so"));
      const only = plugins.length === 1 ? plugins[0] : undefined;
      if (only) setModel((chosen) => chosen || only.path);
    }).catch(() => undefined);
  }, []);
  const choose = (file: string) => {
    setModel(file);
    remember("plans", { ...recall<Record<string, string>>("plans", {}), [path]: file });
  };
  return [models, model, choose];
}

/** A run that is kept: its spans, and of which version of the text it is. */
function useKeptRun(model: string, path: string, version: number) {
  const [started, setStarted] = useState<{ run: number; version: number } | null>(null);
  const run = useStore(runs, (r) => r.list.find((known) => known.id === started?.run));
  const [spans, setSpans] = useState<Span[] | null>(null);
  const experiment = run && !isGoing(run) ? run.experiment : null;
  useEffect(() => {
    setSpans(null);
    if (experiment === null) return;
    getJson<Window<Span>>(`/api/experiments/${experiment}/0/spans`,
      { limit: 50000, px: pixels })
      .then(({ items }) => setSpans(items))
      .catch(() => setSpans(null));
  }, [experiment]);
  const keep = useCallback(async () => {
    const id = await start({ command: "run", file: model, options: { plan: path } });
    if (id !== null) setStarted({ run: id, version });
  }, [model, path, version]);
  return { run, spans, experiment, version: started?.version ?? null, keep };
}

/** How a plan was carried out, in words. */
function StateText({ carried, isStale, model }: {
  carried: Carried; isStale: boolean; model: string;
}) {
  const { answer } = carried;
  if (!model) return <span className="soft">Choose the model that carries it out.</span>;
  if (!carried.isTrusted) {
    return <span className="soft">Carry out asks whether you trust this folder.</span>;
  }
  if (!answer) return null;
  if (answer.status === "refused") return <span className="soft">This plan has errors.</span>;
  const from = answer.resumed_at;
  const where = from === null || from === undefined ? "from the start"
    : `from ${clockText(from, 60)} on`;
  return (
    <span className="soft plan-state" data-stale={isStale}>
      {isStale ? "Carrying out…" : `carried out ${where}, ${(answer.run_ms ?? 0).toFixed(1)} ms`}
    </span>
  );
}

function Problems({ problems, onOpen }: {
  problems: Problem[]; onOpen: (problem: Problem) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <ul className="problems plan-problems" aria-label="Problems of the plan">
      {problems.map((problem, i) => (
        <li key={i}>
          <button type="button" className={`problem ${problem.severity}`}
            onClick={() => onOpen(problem)}>
            <Icon name={problem.severity === "error" ? "error" : "warning"} size={14} />
            <span>{problem.directive && <strong>{problem.directive} </strong>}
              {problem.text}</span>
            {problem.line > 0 && <span className="soft">line {problem.line}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Bars in the order of the plan, with the parts that are in view. */
function inOrder(bars: Bar[], activities: Activity[], part: Bar[]): Bar[] {
  const places = new Map(activities.map((a, i): [string, number] => [a.id, i]));
  const parts = new Map(part.map((bar): [string, Bar] => [bar.key, bar]));
  const place = (bar: Bar) => places.get(bar.directive) ?? activities.length;
  return [...bars].sort((a, b) => place(a) - place(b))
    .map((bar) => ({ ...bar, inner: parts.get(bar.key)?.inner ?? bar.inner }));
}

export default function PlanPane({ path }: { path: string }) {
  const [models, model, choose] = useModel(path);
  const version = useStore(documents, (d) => d.open[path]?.version ?? 0);
  const [range, setRange] = useState<[number, number] | null>(null);
  const [asked, setAsked] = useState("");
  const [isReady, setReady] = useState(false);
  useEffect(() => void openDocument(path).then(() => setReady(true)), [path]);
  const text = useMemo(() => viewOf(path)?.state.sliceDoc() ?? "", [path, version, isReady]);
  const activities = useMemo(() => readPlan(text), [text]);
  const carried = useCarried({ model, path, text, version, range, px: pixels });
  const kept = useKeptRun(model, path, version);

  const { answer, good, part } = carried;
  const problems = useMemo(() => [
    ...problemsOf(answer?.notices ?? [], text, activities),
    ...(answer?.unbegun ?? []).map((late) => ({
      directive: late.directive, severity: "warning", text: late.text, line: 0,
    })),
    ...(answer?.status === "failed"
      ? [{ directive: "", severity: "error", text: answer.message, line: 0 }] : []),
  ], [answer, text, activities]);
  const bars = useMemo(() => {
    const end = good?.end ?? kept.run?.t ?? day_s;
    const spans = good?.spans ?? kept.spans;
    const list = spans ? barsOfSpans(spans, end) : barsOfText(activities);
    const inView = part?.spans ? barsOfSpans(part.spans, end) : [];
    return inOrder(barsWithProblems(list, problems, activities, end), activities, inView);
  }, [good, part, kept.spans, kept.run?.t, problems, activities]);
  const all = useMemo((): [number, number] => {
    if (bars.length === 0) return [0, day_s];
    const least = Math.min(...bars.map((b) => b.begin));
    const most = Math.max(...bars.map((b) => b.end));
    const room = (most - least) * 0.03 || 60;
    return [least - room, most + room];
  }, [bars]);

  const shown = good ? carried.version : kept.version;
  const isStale = shown !== version || answer?.status === "refused";
  const move = (directive: string, by: number) => {
    if (refuseFollowed(path)) return;
    const activity = activities.find((a) => a.id === directive);
    const field = activity && movableField(activity);
    const moved = field && movedDuration(field.value, by);
    const view = viewOf(path);
    if (!field || moved === undefined || !view) {
      notify("info", `${directive} has no time of its own`,
        "It follows another activity; give it an offset in the text.");
      return;
    }
    view.dispatch({
      changes: { from: field.from, to: field.to, insert: moved },
      annotations: isolateHistory.of("full"), userEvent: "input.move",
    });
    if (carried.refusal || !carried.isTrusted) void kept.keep();
  };
  const show = (place: (activities: Activity[]) => number) => {
    const view = viewOf(path);
    if (!view) return;
    leave();
    openTab({ kind: "text", path }, 0);
    jumpTo(view, place(activities));
  };
  const openActivity = (directive: string) =>
    show((list) => list.find((a) => a.id === directive)?.from ?? 0);
  const openProblem = ({ directive, line }: Problem) => {
    const doc = viewOf(path)?.state.doc;
    if (line > 0 && doc) show(() => doc.line(Math.min(line, doc.lines)).from);
    else openActivity(directive);
  };
  const zoomTo = () => {
    const [a, b] = asked.split(/\s+(?:to|-|–)\s+|\.\./).map((t) => readDuration(t));
    if (a !== undefined && b !== undefined && b > a) setRange([a, b]);
    else notify("info", "Type a start and an end, as 7 h to 9.5 h");
  };
  const rows = part?.rows?.values[0] && part.rows.values[0].length > 1 ? part.rows : good?.rows;
  return (
    <div className="plan-pane">
      <header className="plan-head">
        <label className="run-field">model
          <select value={model} onChange={(event) => choose(event.target.value)}>
            <option value="">choose…</option>
            {models.map((m) => <option key={m.path}>{m.path}</option>)}
          </select>
        </label>
        <Button kind="primary" icon="run" disabled={!model}
          title={model ? "Carries it out as a run that is kept"
            : "Choose the model that carries it out"} onClick={() => void kept.keep()}>
          Carry out</Button>
        <Button onClick={() => openTab({ kind: "text", path }, 0)}>Text</Button>
        <StateText carried={carried} isStale={isStale} model={model} />
        <span className="grow" />
        <input value={asked} placeholder="7 h to 9.5 h" aria-label="Part of time to show"
          onChange={(event) => setAsked(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") zoomTo();
          }} />
        <Button icon="fit" onClick={() => setRange(null)}>All</Button>
      </header>
      {kept.run?.state === "failed" && (
        <div className="bar bad"><span>{kept.run.message}</span></div>
      )}
      {bars.length === 0 ? (
        <Empty icon="plan" title={activities.length === 0 ? "This file is no plan yet"
          : "No activity has a time of its own yet"}>
          <p>{activities.length === 0
            ? "A plan is a JSON object with a list of activities."
            : "Choose the model, and it is carried out to see when each begins."}</p>
        </Empty>
      ) : (
        <div className="plan-body">
          <Gantt bars={bars} stale={isStale} range={range ?? all}
            onRange={setRange} onMove={move} onOpen={openActivity} />
          {rows && <Bands columns={rows.columns} values={rows.values} range={range ?? all}
            labelWidth={label_width} />}
          {!rows && kept.experiment !== null && (
            <StoredBands experiment={kept.experiment} range={range ?? all}
              labelWidth={label_width} />
          )}
        </div>
      )}
      <Problems problems={problems} onOpen={openProblem} />
    </div>
  );
}
