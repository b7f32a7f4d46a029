// One signal over another: a canvas, for the x of a phase plot goes back and forth.
import { useLayoutEffect, useRef } from "react";
import { theme } from "../app/theme";
import { useStore } from "../state/store";
import { clearedCanvas } from "./canvas";
import { pageColor, strokeOf } from "./colors";
import type { Curve } from "./curve_data";
import { ticksOf } from "./ticks";
import { short } from "./values";

interface PhasePlotProps {
  curves: Curve[];
  sources: number;
  width: number;
  height: number;
}

const margin = { left: 58, right: 12, top: 10, bottom: 28 };

function rangeOf(values: ArrayLike<number>[]): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (const list of values) {
    for (let i = 0; i < list.length; ++i) {
      const value = list[i] ?? NaN;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  if (least > most) return [0, 1];
  const room = (most - least) * 0.05 || 1;
  return [least - room, most + room];
}

export function PhasePlot({ curves, sources, width, height }: PhasePlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useStore(theme, (t) => t.dark);
  useLayoutEffect(() => {
    const context = clearedCanvas(canvas.current, width, height);
    if (!context) return;
    const [x0, x1] = rangeOf(curves.map((c) => c.x));
    const [y0, y1] = rangeOf(curves.map((c) => c.y));
    const w = width - margin.left - margin.right;
    const h = height - margin.top - margin.bottom;
    const px = (x: number) => margin.left + ((x - x0) / (x1 - x0)) * w;
    const py = (y: number) => margin.top + h - ((y - y0) / (y1 - y0)) * h;
    context.font = "11px sans-serif";
    context.fillStyle = pageColor("--ink-soft");
    context.strokeStyle = pageColor("--edge");
    context.textAlign = "center";
    for (const tick of ticksOf(x0, x1, w / 80)) {
      context.beginPath();
      context.moveTo(px(tick), margin.top);
      context.lineTo(px(tick), margin.top + h);
      context.stroke();
      context.fillText(short(tick), px(tick), height - 9);
    }
    context.textAlign = "right";
    for (const tick of ticksOf(y0, y1, h / 40)) {
      context.beginPath();
      context.moveTo(margin.left, py(tick));
      context.lineTo(margin.left + w, py(tick));
      context.stroke();
      context.fillText(short(tick), margin.left - 8, py(tick) + 4);
    }
    for (const curve of curves) {
      const { color, dash } = strokeOf(curve, sources);
      context.strokeStyle = color;
      context.lineWidth = 1.6;
      context.setLineDash(dash);
      context.beginPath();
      for (let i = 0; i < curve.x.length; ++i) {
        context.lineTo(px(curve.x[i] ?? NaN), py(curve.y[i] ?? NaN));
      }
      context.stroke();
      context.setLineDash([]);
    }
  }, [curves, sources, width, height, dark]);
  return <canvas ref={canvas} className="phase" style={{ width, height }}
    role="img" aria-label="Phase plot" />;
}
