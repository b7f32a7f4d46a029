// The trace of a DEVS run as a sequence: a lane a model, an arrow a message, time
// from top to bottom; a strip shows how dense all of it is.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { short } from "../plot/values";
import { notifyError } from "../state/notices";
import { Button, Empty } from "../ui/controls";
import { Icon } from "../ui/icon";
import { VirtualList } from "../ui/virtual_list";
import type { Microstep } from "./microsteps";
import { StepRow, lane_width, lastName, margin, row_height, time_width } from "./step_row";
import { StepStates } from "./step_states";
import { fileTrace, storedTrace } from "./trace_source";
import type { TraceSource, TraceView } from "./trace_source";

const page_size = 200;
const typing_pause_ms = 200;
/** A page cannot be higher than some millions of pixels: more rows come in parts. */
const part_size = 100_000;
const most_lanes = 40;

/** The whole of what fits a filter; null while it is read. */
function useView(source: TraceSource, filter: string): TraceView | "missing" | null {
  const [view, setView] = useState<TraceView | "missing" | null>(null);
  useEffect(() => {
    let isWanted = true;
    const wait = setTimeout(() => {
      source.view(filter).then((found) => {
        if (isWanted) setView(found);
      }).catch((reason: unknown) => {
        notifyError("read the trace", reason);
        if (isWanted) setView("missing");
      });
    }, filter ? typing_pause_ms : 0);
    return () => {
      isWanted = false;
      clearTimeout(wait);
    };
  }, [source, filter]);
  return view;
}

/** Microsteps of the pages that were looked at. */
function useSteps(source: TraceSource, filter: string) {
  const [steps, setSteps] = useState<Map<number, Microstep>>(new Map());
  const asked = useRef(new Set<number>());
  const of = useRef("");
  useEffect(() => {
    of.current = filter;
    asked.current.clear();
    setSteps(new Map());
  }, [source, filter]);
  const load = useCallback((from: number, to: number) => {
    for (let page = Math.floor(from / page_size); page * page_size <= to; ++page) {
      if (asked.current.has(page)) continue;
      asked.current.add(page);
      const first = page * page_size;
      source.steps(filter, first, page_size).then((found) => {
        if (of.current !== filter) return;
        setSteps((old) => {
          const next = new Map(old);
          found.forEach((step, i) => next.set(first + i, step));
          return next;
        });
      }).catch((reason: unknown) => {
        asked.current.delete(page);
        notifyError("read the trace", reason);
      });
    }
  }, [source, filter]);
  return { steps, load };
}

interface DensityProps {
  view: TraceView;
  /** The time of the chosen microstep. */
  time: number | undefined;
  onPick: (time: number) => void;
}

/** How many microsteps there are in each part of time, as a strip. */
function Density({ view, time, onPick }: DensityProps) {
  const { density, end } = view;
  const most = Math.max(1, ...density);
  const bins = Math.max(1, density.length);
  return (
    <svg className="density" viewBox={`0 0 ${bins} 24`} preserveAspectRatio="none"
      role="img" aria-label="Microsteps over time"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onPick(((event.clientX - box.left) / box.width) * end);
      }}>
      {density.map((count, i) => (
        <rect key={i} x={i} width={0.9} y={24 - (count / most) * 24}
          height={(count / most) * 24} />
      ))}
      {time !== undefined && end > 0 && (
        <line className="density-mark" x1={(time / end) * bins} x2={(time / end) * bins}
          y1={0} y2={24} />
      )}
    </svg>
  );
}

interface SequenceProps {
  source: TraceSource;
  filter: string;
  view: TraceView;
}

/** The microsteps of what fits, with their lanes, and the states of the chosen one. */
function Sequence({ source, filter, view }: SequenceProps) {
  const [at, setAt] = useState(0);
  const [receiver, setReceiver] = useState("");
  const { steps, load } = useSteps(source, filter);
  useEffect(() => setAt(0), [source, filter]);
  const models = view.models.slice(0, most_lanes);
  const key = models.join("\n");
  const lanes = useMemo(() => new Map(key.split("\n")
    .map((model, i): [string, number] => [model, i])), [key]);
  const base = Math.floor(at / part_size) * part_size;
  const count = Math.min(part_size, view.total - base);
  const onWindow = useCallback((from: number, to: number) => {
    load(base + from, Math.min(base + to, view.total - 1));
  }, [load, base, view.total]);
  const choose = (place: number, model = "") => {
    const next = Math.max(0, Math.min(view.total - 1, place));
    load(next, next);
    setAt(next);
    setReceiver(model);
  };
  const pick = (time: number) => {
    source.placeOf(filter, time).then((place) => choose(place))
      .catch((reason: unknown) => notifyError("find that time", reason));
  };
  const step = steps.get(at);
  return (
    <>
      <div className="trace-steps">
        <Button disabled={at === 0} onClick={() => choose(at - 1)}>Step back</Button>
        <Button disabled={at >= view.total - 1} onClick={() => choose(at + 1)}>Step</Button>
        {step && <span>t = {short(step.time)} s, microstep {step.number}</span>}
        <span className="grow" />
        {view.isCut && <span className="soft">The run went on after this trace.</span>}
        <span className="soft">
          {(at + 1).toLocaleString("en")} of {view.total.toLocaleString("en")} microsteps</span>
      </div>
      <Density view={view} time={step?.time} onPick={pick} />
      <div className="trace-lanes">
        <div className="trace-wide" style={{
          minWidth: time_width + lanes.size * lane_width + 2 * margin,
        }}>
          <div className="lanes" style={{ paddingLeft: time_width + margin }}>
            {models.map((model) => (
              <span key={model} style={{ width: lane_width }} title={model}>
                {lastName(model)}<span className="lane-of">
                  {model.slice(0, Math.max(0, model.length - lastName(model).length - 1))}</span>
              </span>
            ))}
            {view.models.length > most_lanes && (
              <span className="soft lane-rest">
                and {view.models.length - most_lanes} models more: filter them</span>
            )}
          </div>
          <VirtualList count={count} rowHeight={row_height} label="Microsteps"
            focus={at - base} onWindow={onWindow}
            row={(i) => {
              const item = steps.get(base + i);
              return item ? (
                <div onClick={() => choose(base + i)}>
                  <StepRow step={item} lanes={lanes} chosen={base + i === at}
                    onMessage={({ to }) => setTimeout(() => choose(base + i, to))} />
                </div>
              ) : null;
            }} />
        </div>
      </div>
      {view.total > part_size && (
        <div className="trace-steps">
          <Button disabled={base === 0} onClick={() => choose(base - 1)}>Earlier</Button>
          <Button disabled={base + count >= view.total}
            onClick={() => choose(base + count)}>Later</Button>
          <span className="soft">microsteps {(base + 1).toLocaleString("en")} to{" "}
            {(base + count).toLocaleString("en")}</span>
        </div>
      )}
      {step && (
        <StepStates source={source} filter={filter} place={at} step={step}
          receiver={receiver} isShown={(model) => lanes.has(model)} />
      )}
    </>
  );
}

export default function TracePane({ path, id }: { path: string; id?: number }) {
  const source = useMemo(() =>
    (id === undefined ? fileTrace(path) : storedTrace(id)), [path, id]);
  const [filter, setFilter] = useState("");
  const view = useView(source, filter);
  if (view === null) return <p className="loading">Reading the trace…</p>;
  const isNone = view === "missing" || (!filter && view.total === 0);
  if (isNone) {
    return <Empty icon="trace" title="There is no trace here">
      <p>A trace in a file has the columns time, model, event, name and value, as
        <code> orrery run --trace FILE.csv</code> writes them.</p></Empty>;
  }
  return (
    <div className="trace-pane">
      <header className="trace-head">
        <div className="search">
          <Icon name="search" size={14} />
          <input type="search" value={filter} placeholder="Models, as *.line*"
            aria-label="Filter the models"
            onChange={(event) => setFilter(event.target.value)} />
        </div>
        <span className="soft">{view.models.length.toLocaleString("en")}{" "}
          {view.models.length === 1 ? "model" : "models"}, t up to {short(view.end)} s</span>
      </header>
      {view.total === 0 ? (
        <Empty icon="search" title={`No model fits ${filter}`}>
          <p><code>*</code> stands for any letters, as in <code>*.line*</code>.</p></Empty>
      ) : <Sequence source={source} filter={filter} view={view} />}
    </div>
  );
}
