// Two columns against each other. With goals for both, the points that no other
// beats in both are the Pareto front.
import { useMemo, useState } from "react";
import type { RunRow, RunTable } from "../api/types";
import { ticksOf } from "../plot/ticks";
import { short } from "../plot/values";
import { useSize } from "../ui/use_size";
import { rangeOfColumn } from "./parallel";

interface ScatterProps {
  table: RunTable;
  order: number[];
  hovered: number | null;
  onOpen: (row: RunRow) => void;
}

const height = 250;
const margin = { left: 64, right: 16, top: 12, bottom: 34 };

export type Goal = "small" | "large";

/** The rows that no other row beats in both columns. */
export function paretoFront(
  rows: RunRow[], x: number, y: number, goals: [Goal, Goal],
): RunRow[] {
  const sign = (goal: Goal) => (goal === "small" ? 1 : -1);
  const [sx, sy] = [sign(goals[0]), sign(goals[1])];
  const points = rows.flatMap((row) => {
    const a = row.values[x];
    const b = row.values[y];
    return a == null || b == null ? [] : [{ row, a: sx * a, b: sy * b }];
  }).sort((p, q) => p.a - q.a || p.b - q.b);
  const front: RunRow[] = [];
  let least = Infinity;
  for (const { row, b } of points) {
    if (b >= least) continue;
    least = b;
    front.push(row);
  }
  return front;
}

function GoalChoice({ label, goal, onChange }: {
  label: string; goal: Goal; onChange: (goal: Goal) => void;
}) {
  return (
    <label className="small-field">{label} is to be
      <select value={goal}
        onChange={(event) => onChange(event.target.value === "large" ? "large" : "small")}>
        <option value="small">small</option>
        <option value="large">large</option>
      </select>
    </label>
  );
}

export function Scatter({ table, order, hovered, onOpen }: ScatterProps) {
  const [host, width] = useSize();
  const measures = order.filter((c) => !table.columns[c]?.varied);
  const [x, setX] = useState(measures[0] ?? order[0] ?? 0);
  const [y, setY] = useState(measures[1] ?? order[1] ?? order[0] ?? 0);
  const [goals, setGoals] = useState<[Goal, Goal]>(["small", "small"]);
  const front = useMemo(() => paretoFront(table.rows, x, y, goals), [table, x, y, goals]);
  const isBest = useMemo(() => new Set(front), [front]);
  const [x0, x1] = rangeOfColumn(table, x);
  const [y0, y1] = rangeOfColumn(table, y);
  const w = Math.max(10, width - margin.left - margin.right);
  const h = height - margin.top - margin.bottom;
  const px = (value: number) => margin.left + ((value - x0) / (x1 - x0)) * w;
  const py = (value: number) => margin.top + h - ((value - y0) / (y1 - y0)) * h;
  const path = front.map((row, i) =>
    `${i === 0 ? "M" : "L"}${px(row.values[x] ?? 0)} ${py(row.values[y] ?? 0)}`).join("");
  const choice = (label: string, value: number, set: (c: number) => void) => (
    <label className="small-field">{label}
      <select value={value} onChange={(event) => set(Number(event.target.value))}>
        {order.map((c) => <option key={c} value={c}>{table.columns[c]?.name}</option>)}
      </select>
    </label>
  );
  return (
    <div className="scatter" ref={host}>
      <div className="scatter-head">
        {choice("across", x, setX)}
        <GoalChoice label={table.columns[x]?.name ?? ""} goal={goals[0]}
          onChange={(goal) => setGoals([goal, goals[1]])} />
        {choice("up", y, setY)}
        <GoalChoice label={table.columns[y]?.name ?? ""} goal={goals[1]}
          onChange={(goal) => setGoals([goals[0], goal])} />
        <span className="soft">{front.length} on the Pareto front</span>
      </div>
      <svg width={width} height={height} role="group" aria-label="Runs in two columns">
        {ticksOf(x0, x1, w / 90).map((t) => (
          <g key={`x${t}`} className="axis">
            <line x1={px(t)} x2={px(t)} y1={margin.top} y2={margin.top + h} />
            <text x={px(t)} y={height - 14} textAnchor="middle">{short(t)}</text>
          </g>
        ))}
        {ticksOf(y0, y1, h / 40).map((t) => (
          <g key={`y${t}`} className="axis">
            <line x1={margin.left} x2={margin.left + w} y1={py(t)} y2={py(t)} />
            <text x={margin.left - 8} y={py(t) + 4} textAnchor="end">{short(t)}</text>
          </g>
        ))}
        <path className="front" d={path} />
        {table.rows.map((row) => {
          const a = row.values[x];
          const b = row.values[y];
          if (a == null || b == null) return null;
          const best = isBest.has(row);
          return (
            <circle key={row.run} cx={px(a)} cy={py(b)}
              r={row.run === hovered ? 7 : best ? 5 : 3.5} data-best={best}
              onClick={() => onOpen(row)}>
              <title>{`run ${row.run + 1}: ${short(a)}, ${short(b)}`}</title>
            </circle>
          );
        })}
      </svg>
    </div>
  );
}
