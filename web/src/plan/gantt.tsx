// A chart of activities over time, on a canvas: a row an activity, its parts as
// thin bars below it. Wheel zooms, dragging the ground pans, dragging a bar moves
// its activity.
import { useEffect, useRef, useState } from "react";
import type { PointerEvent, WheelEvent } from "react";
import { theme } from "../app/theme";
import { clearedCanvas } from "../plot/canvas";
import { pageColor, seriesColor } from "../plot/colors";
import { ticksOf } from "../plot/ticks";
import { useStore } from "../state/store";
import { Icon } from "../ui/icon";
import { useSize } from "../ui/use_size";
import type { Bar } from "./bars";
import { clockText, closeTexts, exactText } from "./duration";

interface GanttProps {
  bars: Bar[];
  /** The plan or the model changed since the bars were computed. */
  stale: boolean;
  range: [number, number];
  onRange: (range: [number, number]) => void;
  onMove: (directive: string, by: number) => void;
  /** Shows the text of an activity. */
  onOpen: (directive: string) => void;
}

/** In seconds: times count nanoseconds. */
const least_range = 1e-8;

/** Marks nearer than so many seconds are told from a time that they all follow. */
const close_step = 1e-3;

/** The width of the labels at the left. */
export const label_width = 168;
const row_height = 26;
const head_height = 24;

function typesOf(bars: Bar[]): string[] {
  return [...new Set(bars.map((bar) => bar.type))];
}

export function Gantt({ bars, stale, range, onRange, onMove, onOpen }: GanttProps) {
  const [host, width] = useSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useStore(theme, (t) => t.dark);
  const [drag, setDrag] = useState<{ bar: Bar | null; x: number; by: number } | null>(null);
  const [from, to] = range;
  const inner = Math.max(10, width - label_width - 12);
  const height = head_height + bars.length * row_height + 8;
  const px = (time: number) => label_width + ((time - from) / (to - from)) * inner;
  const perPixel = (to - from) / inner;

  useEffect(() => {
    const context = width > 0 ? clearedCanvas(canvas.current, width, height) : null;
    if (!context) return;
    context.font = "12px sans-serif";
    context.textBaseline = "middle";
    const ticks = timeTicks(from, to, inner / 90);
    const step = (ticks[1] ?? to) - (ticks[0] ?? from);
    const close = step < close_step ? closeTexts(ticks, step) : null;
    if (close) {
      context.textAlign = "left";
      context.fillStyle = pageColor("--ink");
      context.fillText(exactText(close.base), 10, head_height / 2);
    }
    context.textAlign = "center";
    ticks.forEach((tick, i) => {
      context.strokeStyle = pageColor("--edge");
      context.beginPath();
      context.moveTo(px(tick), head_height);
      context.lineTo(px(tick), height);
      context.stroke();
      context.fillStyle = pageColor("--ink-soft");
      const text = close?.texts[i] ?? clockText(tick, step);
      const last = width - context.measureText(text).width / 2 - 4;
      context.fillText(text, Math.min(px(tick), last), head_height / 2);
    });
    const types = typesOf(bars);
    context.textAlign = "left";
    bars.forEach((bar, row) => {
      const y = head_height + row * row_height;
      const shift = drag?.bar?.key === bar.key ? drag.by : 0;
      // Far outside, a canvas does not count as exactly as a time does.
      const x = Math.max(px(bar.begin + shift), label_width - 10);
      const w = Math.max(2, Math.min(px(bar.end + shift), width + 10) - x);
      const isInView = px(bar.end + shift) >= label_width && px(bar.begin + shift) <= width;
      const color = seriesColor(types.indexOf(bar.type));
      context.fillStyle = bar.problem ? pageColor("--bad") : pageColor("--ink");
      const name = clip(context, bar.label, label_width - 20);
      context.fillText(name, 10, y + row_height / 2);
      if (bar.type !== bar.label) {
        const at = 18 + context.measureText(name).width;
        context.fillStyle = pageColor("--ink-soft");
        context.fillText(clip(context, bar.type, label_width - at - 8), at, y + row_height / 2);
      }
      context.save();
      context.beginPath();
      context.rect(label_width, 0, width - label_width, height);
      context.clip();
      context.fillStyle = color;
      context.strokeStyle = bar.problem ? pageColor("--bad") : color;
      const outlined = stale || bar.guessed;
      context.globalAlpha = outlined ? 0.12 : 0.34;
      if (isInView) context.fillRect(x, y + 4, w, row_height - 8);
      context.globalAlpha = 1;
      context.lineWidth = 1.5;
      if (outlined) context.setLineDash([4, 3]);
      if (isInView) context.strokeRect(x, y + 4, w, row_height - 8);
      context.setLineDash([]);
      for (const [a, b] of bar.inner) {
        if (px(b) < label_width || px(a) > width) continue;
        context.fillRect(px(a + shift), y + row_height - 9, Math.max(1, px(b) - px(a) - 0.5), 4);
      }
      context.restore();
    });
  }, [bars, stale, from, to, width, height, dark, drag]);

  const place = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const barAt = (x: number, y: number) => {
    const bar = bars[Math.floor((y - head_height) / row_height)];
    return bar && x >= px(bar.begin) - 2 && x <= Math.max(px(bar.end), px(bar.begin) + 4)
      ? bar : null;
  };
  const down = (event: PointerEvent) => {
    const { x, y } = place(event);
    const bar = barAt(x, y);
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ bar: bar?.directive ? bar : null, x, by: 0 });
  };
  const move = (event: PointerEvent) => {
    if (!drag) return;
    const { x } = place(event);
    if (drag.bar) {
      const step = niceStep(perPixel * 3);
      setDrag({ ...drag, by: Math.round(((x - drag.x) * perPixel) / step) * step });
    } else {
      const by = (drag.x - x) * perPixel;
      onRange([from + by, to + by]);
      setDrag({ ...drag, x });
    }
  };
  const up = () => {
    if (drag?.bar && drag.by !== 0) onMove(drag.bar.directive, drag.by);
    setDrag(null);
  };
  const wheel = (event: WheelEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = from + (event.clientX - box.left - label_width) * perPixel;
    const factor = Math.exp(event.deltaY * 0.0016);
    if ((to - from) * factor < least_range) return;
    onRange([at - (at - from) * factor, at + (to - at) * factor]);
  };
  return (
    <div className="gantt" ref={host} style={{ height }} onPointerDown={down}
      onPointerMove={move} onPointerUp={up} onWheel={wheel}>
      <canvas ref={canvas} style={{ width, height }} role="img"
        aria-label={`Timeline of ${bars.length} activities`} />
      {bars.map((bar, row) => bar.problem && (
        <button type="button" key={bar.key} className="bar-problem" title={bar.problem}
          style={{
            top: head_height + row * row_height + 3,
            ...problemPlace(px(bar.begin), px(bar.end), width),
          }}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => onOpen(bar.directive)}>
          <Icon name="warning" size={12} />{bar.problem}
        </button>
      ))}
      <ul className="only-read">
        {bars.map((bar) => (
          <li key={bar.key}>{bar.label}, {bar.type}, from {exactText(bar.begin)} to{" "}
            {exactText(bar.end)}{bar.problem && `: ${bar.problem}`}</li>
        ))}
      </ul>
    </div>
  );
}

/** Behind a bar if there is room, else before it, else over it. */
function problemPlace(begin: number, end: number, width: number):
{ left?: number; right?: number; maxWidth: number } {
  const from = Math.min(Math.max(begin, label_width), width);
  const to = Math.min(Math.max(end, label_width), width);
  const least = 160;
  if (width - to >= least) return { left: to + 4, maxWidth: width - to - 12 };
  if (from - label_width >= least) {
    return { right: width - from + 4, maxWidth: from - label_width - 12 };
  }
  return { left: label_width + 4, maxWidth: width - label_width - 12 };
}

function clip(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let short = text;
  while (short.length > 1 && context.measureText(`${short}…`).width > width) {
    short = short.slice(0, -1);
  }
  return `${short}…`;
}

const clock_steps = [60, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

/** Marks at whole minutes and hours where the scale allows. */
export function timeTicks(from: number, to: number, count: number): number[] {
  const rough = (to - from) / Math.max(1, count);
  const step = rough > 30 ? clock_steps.find((s) => s >= rough) : undefined;
  if (!step) return ticksOf(from, to, count);
  const ticks: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; ++i) ticks.push(i * step);
  return ticks;
}

/** A round number of seconds near `rough`, by which bars are moved. */
function niceStep(rough: number): number {
  const steps = [1, 5, 10, 30, ...clock_steps];
  return steps.find((s) => s >= rough)
    ?? (rough < 1 ? 10 ** Math.floor(Math.log10(rough)) : 86400);
}
