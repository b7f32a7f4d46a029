// Parallel coordinates: an axis a column, a line a run. Dragging along an axis
// brushes a range of it.
import { useEffect, useMemo, useRef, useState } from "react";
import type { PointerEvent } from "react";
import type { RunRow, RunTable } from "../api/types";
import { theme } from "../app/theme";
import { clearedCanvas } from "../plot/canvas";
import { pageColor } from "../plot/colors";
import { hasPlace, scaleOf } from "../plot/scales";
import type { Scale } from "../plot/scales";
import { short } from "../plot/values";
import { useStore } from "../state/store";
import { useSize } from "../ui/use_size";

export type Brush = [number, number];

interface ParallelProps {
  table: RunTable;
  order: number[];
  /** Columns whose axes go by powers of ten. */
  logs: Set<number>;
  brushes: Map<number, Brush>;
  onBrush: (brushes: Map<number, Brush>) => void;
  hovered: number | null;
  onOpen: (row: RunRow) => void;
}

const height = 210;
const top = 30;
const bottom = 22;
const most_axes = 12;

/** Whether a run has values inside of all brushes. */
export function passes(row: RunRow, brushes: Map<number, Brush>): boolean {
  for (const [column, [from, to]] of brushes) {
    const value = row.values[column];
    if (value === null || value === undefined || value < from || value > to) return false;
  }
  return true;
}

/** The scale of a column between two places. */
export function scaleOfColumn(
  table: RunTable, column: number, from: number, to: number, log: boolean, count = 2,
): Scale {
  const values = table.rows.map((row) => row.values[column] ?? null);
  return scaleOf([values], from, to, { log, count });
}

export function Parallel(props: ParallelProps) {
  const { table, logs, brushes, onBrush, hovered, onOpen } = props;
  const [host, width] = useSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useStore(theme, (t) => t.dark);
  const [drag, setDrag] = useState<{ axis: number; from: number } | null>(null);
  const axes = props.order.slice(0, most_axes);
  const space = Math.max(40, (width - 120) / Math.max(1, axes.length - 1));
  const xOf = (axis: number) => (axes.length === 1 ? width / 2 : 60 + axis * space);
  const inner = height - top - bottom;
  const scales = useMemo(() => axes.map((c) =>
    scaleOfColumn(table, c, top + inner, top, logs.has(c))), [table, axes.join(), logs]);
  const yOf = (axis: number, value: number) => scales[axis]?.at(value) ?? top;
  const valueOf = (axis: number, y: number) => scales[axis]?.valueAt(y) ?? 0;
  /** A value that has a place on its axis. */
  const placed = (row: RunRow, axis: number): number | null => {
    const c = axes[axis] ?? 0;
    const value = row.values[c];
    return hasPlace(value, logs.has(c)) ? value : null;
  };

  useEffect(() => {
    const context = width > 0 ? clearedCanvas(canvas.current, width, height) : null;
    if (!context) return;
    const draw = (row: RunRow) => {
      context.beginPath();
      axes.forEach((_, axis) => {
        const value = placed(row, axis);
        if (value !== null) context.lineTo(xOf(axis), yOf(axis, value));
      });
      context.stroke();
    };
    context.lineWidth = 1;
    context.strokeStyle = pageColor("--edge");
    for (const row of table.rows) if (!passes(row, brushes)) draw(row);
    context.strokeStyle = pageColor("--series-1");
    context.globalAlpha = Math.max(0.12, Math.min(0.9, 60 / table.rows.length));
    for (const row of table.rows) if (passes(row, brushes)) draw(row);
    context.globalAlpha = 1;
    const chosen = table.rows.find((row) => row.run === hovered);
    if (chosen) {
      context.strokeStyle = pageColor("--series-2");
      context.lineWidth = 2.5;
      draw(chosen);
    }
  }, [table, brushes, hovered, width, dark, scales]);

  const place = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    const { x, y } = place(event);
    const axis = axes.findIndex((_, i) => Math.abs(xOf(i) - x) < 14);
    if (axis < 0) {
      const nearest = nearestRow(x, y);
      if (nearest) onOpen(nearest);
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ axis, from: valueOf(axis, y) });
  };
  const nearestRow = (x: number, y: number): RunRow | undefined => {
    const left = Math.max(0, Math.min(axes.length - 2, Math.floor((x - 60) / space)));
    const share = (x - xOf(left)) / space;
    let best: RunRow | undefined;
    let least = 8;
    for (const row of table.rows) {
      const a = placed(row, left);
      const b = placed(row, left + 1);
      if (a === null || b === null) continue;
      const at = yOf(left, a) * (1 - share) + yOf(left + 1, b) * share;
      if (Math.abs(at - y) < least) {
        least = Math.abs(at - y);
        best = row;
      }
    }
    return best;
  };
  const move = (event: PointerEvent) => {
    if (!drag) return;
    const to = valueOf(drag.axis, place(event).y);
    const column = axes[drag.axis];
    if (column === undefined) return;
    const next = new Map(brushes);
    next.set(column, [Math.min(drag.from, to), Math.max(drag.from, to)]);
    onBrush(next);
  };
  const up = () => {
    if (!drag) return;
    const column = axes[drag.axis];
    const range = column === undefined ? undefined : brushes.get(column);
    const isPoint = range
      && Math.abs(yOf(drag.axis, range[1]) - yOf(drag.axis, range[0])) < 0.01 * inner;
    if (column !== undefined && isPoint) {
      const next = new Map(brushes);
      next.delete(column);
      onBrush(next);
    }
    setDrag(null);
  };
  return (
    <div className="parallel" ref={host} style={{ height }} onPointerDown={down}
      onPointerMove={move} onPointerUp={up}>
      <canvas ref={canvas} style={{ width, height }} aria-hidden="true" />
      <svg width={width} height={height} role="img"
        aria-label="Parallel coordinates of the runs">
        {axes.map((c, axis) => {
          const column = table.columns[c];
          const brush = brushes.get(c);
          const x = xOf(axis);
          return (
            <g key={c} className="axis">
              <line x1={x} x2={x} y1={top} y2={top + inner} />
              <text x={x} y={13} textAnchor="middle" className="axis-name">
                {column?.name}{logs.has(c) && " (log)"}</text>
              <text x={x} y={25} textAnchor="middle">{short(valueOf(axis, top))}</text>
              <text x={x} y={height - 6} textAnchor="middle">{short(valueOf(axis, top + inner))}</text>
              {brush && <rect x={x - 6} width={12} y={yOf(axis, brush[1])}
                height={Math.max(2, yOf(axis, brush[0]) - yOf(axis, brush[1]))} />}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
