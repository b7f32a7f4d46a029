// The trace of a DEVS run as a sequence: a lane a model, an arrow a message, time
// from top to bottom; a density strip of all of it at the side.
import { useEffect, useMemo, useState } from "react";
import { ask, withQuery } from "../api/client";
import { short } from "../plot/values";
import { matches } from "../results/signals";
import { notifyError } from "../state/notices";
import { Button, Empty } from "../ui/controls";
import { Icon } from "../ui/icon";
import { VirtualList } from "../ui/virtual_list";
import { microstepsOf, readTrace } from "./microsteps";
import type { Microstep, TraceRow } from "./microsteps";

const lane_width = 150;
const time_width = 120;
const row_height = 30;

function useTrace(path: string): TraceRow[] | null {
  const [rows, setRows] = useState<TraceRow[] | null>(null);
  useEffect(() => {
    ask(withQuery("/api/file", { path })).then((answer) => answer.text())
      .then((text) => setRows(readTrace(text)))
      .catch((reason: unknown) => {
        notifyError(`read ${path}`, reason);
        setRows([]);
      });
  }, [path]);
  return rows;
}

function Step({ step, lanes, chosen }: {
  step: Microstep; lanes: string[]; chosen: boolean;
}) {
  const xOf = (model: string) => {
    const lane = lanes.indexOf(model);
    return lane < 0 ? lanes.length * lane_width : lane * lane_width + lane_width / 2;
  };
  const y = row_height / 2;
  return (
    <div className="trace-step" data-chosen={chosen}>
      <span className="trace-time number">{short(step.time)} s
        <span className="soft"> · {step.number}</span></span>
      <svg width={lanes.length * lane_width + 20} height={row_height}>
        {lanes.map((lane) => (
          <line key={lane} className="lane" x1={xOf(lane)} x2={xOf(lane)} y1={0}
            y2={row_height} />
        ))}
        {step.transitions.filter((t) => lanes.includes(t.model)).map((t) => (
          <circle key={t.model} className={`transition ${t.kind}`} cx={xOf(t.model)} cy={y}
            r={4}><title>{`${t.model}: ${t.kind}\n${t.state}`}</title></circle>
        ))}
        {step.messages.filter((m) => lanes.includes(m.from)).map((m, i) => {
          const from = xOf(m.from);
          const to = xOf(m.to);
          const head = to > from ? -7 : 7;
          return (
            <g key={i} className="message">
              <path d={`M${from} ${y}H${to}M${to + head} ${y - 4}L${to} ${y}L${to + head} ${y + 4}`} />
              <text x={(from + to) / 2} y={y - 5} textAnchor="middle">{m.text.slice(0, 22)}</text>
              <title>{`${m.from} to ${m.to || "the outside"}\n${m.text}`}</title>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** How many microsteps there are in each part of time, as a strip. */
function Density({ steps, onPick }: { steps: Microstep[]; onPick: (at: number) => void }) {
  const bins = 120;
  const first = steps[0]?.time ?? 0;
  const span = (steps[steps.length - 1]?.time ?? 0) - first || 1;
  const counts = new Array<number>(bins).fill(0);
  for (const { time } of steps) {
    const bin = Math.min(bins - 1, Math.floor(((time - first) / span) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  return (
    <svg className="density" viewBox={`0 0 ${bins} 24`} preserveAspectRatio="none"
      role="img" aria-label="Steps over time"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const time = first + ((event.clientX - box.left) / box.width) * span;
        onPick(Math.max(0, steps.findIndex((s) => s.time >= time)));
      }}>
      {counts.map((count, i) => (
        <rect key={i} x={i} width={0.9} y={24 - (count / most) * 24}
          height={(count / most) * 24} />
      ))}
    </svg>
  );
}

export default function TracePane({ path }: { path: string }) {
  const rows = useTrace(path);
  const [filter, setFilter] = useState("");
  const [at, setAt] = useState(0);
  const shown = useMemo(() => (rows ?? []).filter((r) => r.event !== "start"
    && matches(r.model, filter)), [rows, filter]);
  const steps = useMemo(() => microstepsOf(shown), [shown]);
  const lanes = useMemo(() => [...new Set(shown.map((r) => r.model))].sort(), [shown]);
  if (!rows) return <p className="loading">Reading the trace…</p>;
  if (rows.length === 0) {
    return <Empty icon="trace" title="This file is no trace">
      <p>A trace has the columns time, model, event, name and value, as
        <code> orrery run --trace FILE.csv</code> writes them.</p></Empty>;
  }
  const step = steps[at];
  return (
    <div className="trace-pane">
      <header className="trace-head">
        <div className="search">
          <Icon name="search" size={14} />
          <input type="search" value={filter} placeholder="Models, as *.line*"
            aria-label="Filter the models" onChange={(event) => {
              setFilter(event.target.value);
              setAt(0);
            }} />
        </div>
        <Button disabled={at === 0} onClick={() => setAt(at - 1)}>Step back</Button>
        <Button disabled={at >= steps.length - 1} onClick={() => setAt(at + 1)}>Step</Button>
        {step && <span className="soft">t = {short(step.time)} s, microstep {step.number}</span>}
        <span className="grow" />
        <span className="soft">{steps.length} microsteps</span>
      </header>
      <Density steps={steps} onPick={setAt} />
      <div className="lanes" style={{ paddingLeft: time_width }}>
        {lanes.map((lane) => (
          <span key={lane} style={{ width: lane_width }} title={lane}>{lane}</span>
        ))}
      </div>
      <VirtualList count={steps.length} rowHeight={row_height} label="Microsteps" focus={at}
        row={(i) => {
          const item = steps[i];
          return item && <div onClick={() => setAt(i)}>
            <Step step={item} lanes={lanes} chosen={i === at} /></div>;
        }} />
      {step && (
        <div className="trace-state">
          {step.transitions.map((t) => (
            <p key={t.model}><strong>{t.model}</strong> {t.kind}
              <code> {t.state}</code></p>
          ))}
        </div>
      )}
    </div>
  );
}
