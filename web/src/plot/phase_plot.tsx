// One signal over another: a canvas, for the x of a phase plot goes back and forth.
import { useLayoutEffect, useRef } from "react";
import { theme } from "../app/theme";
import { useStore } from "../state/store";
import { clearedCanvas } from "./canvas";
import { pageColor, strokeOf } from "./colors";
import type { Curve } from "./curve_data";
import { hasPlace, scaleOf } from "./scales";
import { short } from "./values";

interface PhasePlotProps {
  curves: Curve[];
  sources: number;
  width: number;
  height: number;
  /** Whether the values upwards go by powers of ten. */
  log: boolean;
}

const margin = { left: 58, right: 12, top: 10, bottom: 28 };

export function PhasePlot({ curves, sources, width, height, log }: PhasePlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useStore(theme, (t) => t.dark);
  useLayoutEffect(() => {
    const context = clearedCanvas(canvas.current, width, height);
    if (!context) return;
    const w = width - margin.left - margin.right;
    const h = height - margin.top - margin.bottom;
    const x = scaleOf(curves.map((c) => c.x), margin.left, margin.left + w,
      { room: 0.05, count: Math.max(4, w / 80) });
    const y = scaleOf(curves.map((c) => c.y), margin.top + h, margin.top,
      { log, room: 0.05, count: Math.max(4, h / 40) });
    context.font = "11px sans-serif";
    context.fillStyle = pageColor("--ink-soft");
    context.strokeStyle = pageColor("--edge");
    context.textAlign = "center";
    for (const tick of x.ticks) {
      context.beginPath();
      context.moveTo(x.at(tick), margin.top);
      context.lineTo(x.at(tick), margin.top + h);
      context.stroke();
      context.fillText(short(tick), x.at(tick), height - 9);
    }
    context.textAlign = "right";
    for (const tick of y.ticks) {
      context.beginPath();
      context.moveTo(margin.left, y.at(tick));
      context.lineTo(margin.left + w, y.at(tick));
      context.stroke();
      context.fillText(short(tick), margin.left - 8, y.at(tick) + 4);
    }
    for (const curve of curves) {
      const { color, dash } = strokeOf(curve, sources);
      context.strokeStyle = color;
      context.lineWidth = 1.6;
      context.setLineDash(dash);
      context.beginPath();
      let is_on = false;
      for (let i = 0; i < curve.x.length; ++i) {
        const [across, up] = [curve.x[i], curve.y[i]];
        if (!hasPlace(across, false) || !hasPlace(up, log)) is_on = false;
        else if (is_on) context.lineTo(x.at(across), y.at(up));
        else {
          context.moveTo(x.at(across), y.at(up));
          is_on = true;
        }
      }
      context.stroke();
      context.setLineDash([]);
    }
  }, [curves, sources, width, height, log, dark]);
  return <canvas ref={canvas} className="phase" style={{ width, height }}
    role="img" aria-label="Phase plot" />;
}
