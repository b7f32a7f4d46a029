// Curves over time by uPlot: zoom by wheel and by dragging, cursors A and B.
import { useEffect, useLayoutEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../app/theme";
import { useStore } from "../state/store";
import { pageColor, strokeOf } from "./colors";
import type { Curve } from "./curve_data";
import { plots } from "./plots";
import { hasPlace } from "./scales";
import { short } from "./values";

interface TimePlotProps {
  curves: Curve[];
  sources: number;
  width: number;
  height: number;
  log: boolean;
  window: [number, number] | null;
  cursors: { a: number | null; b: number | null };
  onWindow: (window: [number, number] | null) => void;
}

/** Values that have a place on their axis; null, a gap, for the others. */
function placed(values: ArrayLike<number>, log: boolean): (number | null)[] {
  return Array.from(values, (value) => (hasPlace(value, log) ? value : null));
}

/** One table of all curves over the union of their times. */
function joined(curves: Curve[], log: boolean): uPlot.AlignedData {
  if (curves.length === 0) return [[0, 1]];
  const same = curves.every((curve) => curve.x === curves[0]?.x);
  if (same) {
    return [Array.from(curves[0]?.x ?? []), ...curves.map((c) => placed(c.y, log))];
  }
  return uPlot.join(curves.map((curve): uPlot.AlignedData =>
    [Array.from(curve.x), placed(curve.y, log)]));
}

function drawCursors(plot: uPlot, cursors: TimePlotProps["cursors"]): void {
  const { ctx, bbox } = plot;
  for (const [name, at] of Object.entries(cursors)) {
    if (at === null) continue;
    const x = Math.round(plot.valToPos(at, "x", true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.save();
    ctx.strokeStyle = pageColor("--accent");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillStyle = pageColor("--accent");
    ctx.font = `600 ${11 * devicePixelRatio}px sans-serif`;
    ctx.fillText(name.toUpperCase(), x + 3 * devicePixelRatio,
      bbox.top + 11 * devicePixelRatio);
    ctx.restore();
  }
}

/** Wheel: zooms at the pointer; with Shift, only over y. */
function onWheel(plot: uPlot, event: WheelEvent,
  onWindow: TimePlotProps["onWindow"]): void {
  event.preventDefault();
  const factor = Math.exp(event.deltaY * 0.0016);
  const box = plot.over.getBoundingClientRect();
  const zoom = (key: "x" | "y", at: number): [number, number] | null => {
    const { min, max } = plot.scales[key] ?? {};
    if (min == null || max == null) return null;
    const middle = plot.posToVal(at, key);
    if (plot.scales[key]?.distr === 3) {
      return [middle * (min / middle) ** factor, middle * (max / middle) ** factor];
    }
    return [middle - (middle - min) * factor, middle + (max - middle) * factor];
  };
  if (event.shiftKey) {
    const range = zoom("y", event.clientY - box.top);
    if (range) plot.setScale("y", { min: range[0], max: range[1] });
    return;
  }
  const range = zoom("x", event.clientX - box.left);
  if (range) onWindow(range);
}

export function TimePlot(props: TimePlotProps) {
  const { curves, sources, width, height, log } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const dark = useStore(theme, (t) => t.dark);
  const shape = curves.map((c) => c.key).join("\n");

  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const axis = {
      stroke: pageColor("--ink-soft"),
      grid: { stroke: pageColor("--edge"), width: 1 },
      ticks: { stroke: pageColor("--edge"), width: 1 },
      font: "11px sans-serif",
    };
    const made = new uPlot({
      width: latest.current.width, height: latest.current.height,
      padding: [8, 18, 0, 0],
      scales: {
        x: { time: false, range: (_, min, max) =>
          latest.current.window ?? (min === max ? [min - 1, max + 1] : [min, max]) },
        y: { distr: log ? 3 : 1 },
      },
      axes: [
        { ...axis, size: 30 },
        // Small plots keep some marks, and large ones do not get a crowd.
        { ...axis, size: 58,
          space: (_, _axis, _min, _max, room) => Math.max(20, Math.min(60, room / 10)),
          values: (_, ticks) => ticks.map((v) => (v === null ? "" : short(v))) },
      ],
      series: [{}, ...curves.map((curve) => {
        const { color, dash } = strokeOf(curve, sources);
        return {
          label: curve.key, stroke: color, dash, width: 1.6, spanGaps: false, pxAlign: 0,
          points: { show: false },
        };
      })],
      legend: { show: false },
      cursor: {
        sync: { key: "orrery" }, focus: { prox: 16 },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => {
          latest.current.onWindow(null);
          return null;
        } },
      },
      hooks: {
        draw: [(u) => drawCursors(u, latest.current.cursors)],
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const from = u.posToVal(u.select.left, "x");
          const to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          latest.current.onWindow([from, to]);
        }],
      },
    }, joined(curves, log), host.current);
    made.over.addEventListener("wheel",
      (event) => onWheel(made, event, latest.current.onWindow), { passive: false });
    made.over.addEventListener("click", (event) => {
      const at = made.posToVal(event.offsetX, "x");
      const { cursors } = plots.get();
      plots.set({ cursors: event.shiftKey ? { ...cursors, b: at } : { ...cursors, a: at } });
    });
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
    // The plot is made anew when the set of curves or their look changes.
  }, [shape, sources, log, dark]);

  useEffect(() => plot.current?.setData(joined(curves, log)), [curves, log]);
  useEffect(() => plot.current?.setSize({ width, height }), [width, height]);
  useEffect(() => {
    const shown = plot.current;
    if (!shown) return;
    if (props.window) shown.setScale("x", { min: props.window[0], max: props.window[1] });
    else shown.setData(shown.data);
  }, [props.window]);
  useEffect(() => plot.current?.redraw(false), [props.cursors]);
  return <div className="plot-host" ref={host} />;
}
