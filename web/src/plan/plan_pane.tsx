// A plan: its timeline as the last run had it, its text beside, and a new run after
// each change that is asked for.
import { useCallback, useEffect, useMemo, useState } from "react";
import { getJson } from "../api/client";
import type { FileItem, Span, Window } from "../api/types";
import { allFiles } from "../library/all_files";
import { isGoing, runs, start } from "../runs/live";
import { documents, openDocument, viewOf } from "../state/documents";
import { openTab } from "../state/layout";
import { notify } from "../state/notices";
import { recall, remember, useStore } from "../state/store";
import { isolateHistory } from "@codemirror/commands";
import { Button, Empty } from "../ui/controls";
import { movedDuration, readDuration } from "./duration";
import { Bands } from "./bands";
import { Gantt, label_width } from "./gantt";
import type { Bar } from "./gantt";
import { movableField, readPlan } from "./plan_text";
import type { Activity } from "./plan_text";

const day_s = 86400;

/** Bars of a run: spans that have no parent, with their parts. */
function barsOfSpans(spans: Span[], end: number): Bar[] {
  const closed = (span: Span): [number, number] => [span.begin, span.end ?? end];
  const parts = new Map<number, [number, number][]>();
  for (const span of spans) {
    if (span.parent === null) continue;
    const inner = parts.get(span.parent) ?? [];
    inner.push(closed(span));
    parts.set(span.parent, inner);
  }
  return spans.filter((span) => span.parent === null).map((span) => {
    const directive = String(span.attributes["directive"] ?? "");
    const [begin, stop] = closed(span);
    return {
      key: String(span.span), directive, label: directive || span.name,
      type: span.name, begin, end: stop,
      inner: parts.get(span.span) ?? [],
      problem: span.state === "failed" ? ", failed" : "",
    };
  });
}

/** Bars of a plan that never ran: what has a start of its own. */
function barsOfPlan(activities: Activity[]): Bar[] {
  return activities.flatMap((activity) => {
    const start_s = readDuration(activity.fields.get("start")?.value ?? "");
    return start_s === undefined ? [] : [{
      key: activity.id, directive: activity.id, label: activity.id,
      type: activity.type, begin: start_s, end: start_s + 600, inner: [], problem: "",
    }];
  });
}

function useModels(): FileItem[] {
  const [models, setModels] = useState<FileItem[]>([]);
  useEffect(() => {
    allFiles().then((files) => setModels(files.filter((f) => /\.(so|mo)$/.test(f.path))))
      .catch(() => undefined);
  }, []);
  return models;
}

export default function PlanPane({ path }: { path: string }) {
  const models = useModels();
  const [model, setModel] = useState(() =>
    recall<Record<string, string>>("plans", {})[path] ?? "");
  const version = useStore(documents, (d) => d.open[path]?.version ?? 0);
  const [started, setStarted] = useState<{ run: number; version: number } | null>(null);
  const run = useStore(runs, (r) => r.list.find((known) => known.id === started?.run));
  const [spans, setSpans] = useState<Span[] | null>(null);
  const [range, setRange] = useState<[number, number] | null>(null);
  const [asked, setAsked] = useState("");
  useEffect(() => void openDocument(path), [path]);
  const activities = useMemo(() => readPlan(viewOf(path)?.state.sliceDoc() ?? ""),
    [path, version]);
  const experiment = run && !isGoing(run) ? run.experiment : null;
  useEffect(() => {
    if (experiment === null) return;
    getJson<Window<Span>>(`/api/experiments/${experiment}/0/spans`, { limit: 50000 })
      .then(({ items }) => setSpans(items))
      .catch(() => setSpans(null));
  }, [experiment]);
  const bars = useMemo(() => {
    const list = spans ? barsOfSpans(spans, run?.t || day_s) : barsOfPlan(activities);
    return list.filter((bar) => bar.directive || !spans);
  }, [spans, activities, run?.t]);
  const all = useMemo((): [number, number] => {
    if (bars.length === 0) return [0, day_s];
    const least = Math.min(...bars.map((b) => b.begin));
    const most = Math.max(...bars.map((b) => b.end));
    const room = (most - least) * 0.03 || 60;
    return [least - room, most + room];
  }, [bars]);

  const carryOut = useCallback(async () => {
    if (!model) return;
    const id = await start({ command: "run", file: model, options: { plan: path } });
    if (id !== null) setStarted({ run: id, version });
  }, [model, path, version]);

  const move = useCallback((directive: string, by: number) => {
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
    void carryOut();
  }, [activities, path, carryOut]);

  const choose = (file: string) => {
    setModel(file);
    remember("plans", { ...recall<Record<string, string>>("plans", {}), [path]: file });
  };
  const zoomTo = () => {
    const [a, b] = asked.split(/\s+(?:to|-|–)\s+|\.\./).map((t) => readDuration(t));
    if (a !== undefined && b !== undefined && b > a) setRange([a, b]);
    else notify("info", "Type a start and an end, as 7 h to 9.5 h");
  };
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
          onClick={() => void carryOut()}>Carry out</Button>
        <Button onClick={() => openTab({ kind: "text", path }, 0)}>Text</Button>
        <span className="grow" />
        <input value={asked} placeholder="7 h to 9.5 h" aria-label="Part of time to show"
          onChange={(event) => setAsked(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") zoomTo();
          }} />
        <Button icon="fit" onClick={() => setRange(null)}>All</Button>
      </header>
      {run?.state === "failed" && <div className="bar bad"><span>{run.message}</span></div>}
      {bars.length === 0 ? (
        <Empty icon="plan" title={activities.length === 0 ? "This file is no plan yet"
          : "No activity has a time of its own yet"}>
          <p>{activities.length === 0
            ? "A plan is a JSON object with a list of activities."
            : "Choose the model and press Carry out to see when each begins."}</p>
        </Empty>
      ) : (
        <div className="plan-body">
          <Gantt bars={bars} stale={started?.version !== version} range={range ?? all}
            onRange={setRange} onMove={move} />
          {experiment !== null && (
            <Bands experiment={experiment} range={range ?? all} labelWidth={label_width} />
          )}
        </div>
      )}
    </div>
  );
}
