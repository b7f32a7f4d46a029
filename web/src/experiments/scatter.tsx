// Two columns against each other. With goals for both, the points that no other
// beats in both are the Pareto front.
import { useMemo, useState } from "react";
import type { RunRow, RunTable } from "../api/types";
import { hasPlace } from "../plot/scales";
import { short } from "../plot/values";
import { useSize } from "../ui/use_size";
import { scaleOfColumn } from "./parallel";

/** What an optimisation sought: a number of each run, small or large. */
export interface Objective {
  name: string;
  goal: string;
}

interface ScatterProps {
  table: RunTable;
  order: number[];
  /** Columns whose axes go by powers of ten. */
  logs: Set<number>;
  /** Two or more make a Pareto front. */
  objectives: Objective[];
  /** The runs of the front that an optimisation found; empty if it sought none. */
  found: number[];
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
    <select value={goal} aria-label={`${label} is to be`}
      onChange={(event) => onChange(event.target.value === "large" ? "large" : "small")}>
      <option value="small">the less the better</option>
      <option value="large">the more the better</option>
    </select>
  );
}

function goalOf(objective: Objective | undefined): Goal {
  return objective?.goal === "maximize" ? "large" : "small";
}

export function Scatter(props: ScatterProps) {
  const { table, order, logs, objectives, found, hovered, onOpen } = props;
  const [host, width] = useSize();
  const measures = order.filter((c) => !table.columns[c]?.varied);
  const columnOf = (i: number) => {
    const found = table.columns.findIndex((c) => c.name === objectives[i]?.name);
    return found < 0 ? measures[i] ?? order[i] ?? order[0] ?? 0 : found;
  };
  const [x, setX] = useState(() => columnOf(0));
  const [y, setY] = useState(() => columnOf(1));
  const [goals, setGoals] = useState<[Goal, Goal]>(
    () => [goalOf(objectives[0]), goalOf(objectives[1])]);
  // That of an optimisation heeds its constraints, too.
  const is_as_sought = found.length > 0 && objectives.length === 2
    && x === columnOf(0) && y === columnOf(1)
    && goals.every((goal, i) => goal === goalOf(objectives[i]));
  const front = useMemo(() => (is_as_sought
    ? table.rows.filter((row) => found.includes(row.run))
        .sort((p, q) => (p.values[x] ?? 0) - (q.values[x] ?? 0))
    : paretoFront(table.rows, x, y, goals)), [table, x, y, goals, is_as_sought]);
  const isBest = useMemo(() => new Set(front), [front]);
  const w = Math.max(10, width - margin.left - margin.right);
  const h = height - margin.top - margin.bottom;
  const [log_x, log_y] = [logs.has(x), logs.has(y)];
  const across = scaleOfColumn(table, x, margin.left, margin.left + w, log_x, w / 90);
  const up = scaleOfColumn(table, y, margin.top + h, margin.top, log_y, h / 40);
  const placeOf = (row: RunRow): [number, number] | null => {
    const [a, b] = [row.values[x], row.values[y]];
    return hasPlace(a, log_x) && hasPlace(b, log_y) ? [across.at(a), up.at(b)] : null;
  };
  const corners = front.flatMap((row) => placeOf(row)?.join(" ") ?? []);
  const path = corners.length > 0 ? `M${corners.join("L")}` : "";
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
        {across.ticks.map((t) => (
          <g key={`x${t}`} className="axis">
            <line x1={across.at(t)} x2={across.at(t)} y1={margin.top} y2={margin.top + h} />
            <text x={across.at(t)} y={height - 14} textAnchor="middle">{short(t)}</text>
          </g>
        ))}
        {up.ticks.map((t) => (
          <g key={`y${t}`} className="axis">
            <line x1={margin.left} x2={margin.left + w} y1={up.at(t)} y2={up.at(t)} />
            <text x={margin.left - 8} y={up.at(t) + 4} textAnchor="end">{short(t)}</text>
          </g>
        ))}
        <path className="front" d={path} />
        {table.rows.map((row) => {
          const place = placeOf(row);
          if (!place) return null;
          const best = isBest.has(row);
          return (
            <circle key={row.run} cx={place[0]} cy={place[1]}
              r={row.run === hovered ? 7 : best ? 5 : 3.5} data-best={best}
              onClick={() => onOpen(row)}>
              <title>{`run ${row.run + 1}: ${short(row.values[x])}, ${short(row.values[y])}`}</title>
            </circle>
          );
        })}
      </svg>
    </div>
  );
}
