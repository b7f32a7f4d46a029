// The connections, above the icons: each with a halo, a wide stroke that takes
// clicks, and dots where lines of one end meet.
import { memo } from "react";
import type { MouseEvent } from "react";
import type { Connection, Point } from "../language/protocol";
import { keyOfConnection } from "./layout";
import { css, penOf } from "./graphics";
import { scale, toSheet } from "./matrix";
import { linePath } from "./paths";

export interface DrawnLine {
  connection: Connection;
  points: Point[];
}

const trim = 3;

/** The line without its first and last bit, where ports take the clicks. */
function trimmed(points: Point[]): Point[] {
  const shorten = (a: Point | undefined, b: Point | undefined): Point => {
    if (!a || !b) return [0, 0];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const share = length > 2 * trim ? trim / length : 0;
    return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
  };
  if (points.length < 2) return points;
  return [
    shorten(points[0], points[1]), ...points.slice(1, -1),
    shorten(points[points.length - 1], points[points.length - 2]),
  ];
}

interface LineProps {
  line: DrawnLine;
  selected: boolean;
  onPick: (key: string, add: boolean) => void;
}

const Line = memo(function Line({ line, selected, onPick }: LineProps) {
  const { connection, points } = line;
  const color = css(connection.color, "var(--line-color)");
  const path = linePath(points);
  const pick = (event: MouseEvent) => {
    event.stopPropagation();
    onPick(keyOfConnection(connection), event.shiftKey || event.ctrlKey);
  };
  const classes = ["wire"];
  if (selected) classes.push("selected");
  if (!connection.present) classes.push("absent");
  return (
    <g className={classes.join(" ")} data-wire={keyOfConnection(connection)}>
      <path className="wire-halo" d={path} />
      <path className="wire-line" d={path}
        {...penOf(color, connection.pattern, connection.thickness)} />
      <path className="wire-hit" d={linePath(trimmed(points))} onClick={pick}>
        <title>{`connect(${connection.from}, ${connection.to})`}</title>
      </path>
    </g>
  );
});

/** Ends where more than one line begins, away from ports that hide a dot. */
function junctions(lines: DrawnLine[]): Point[] {
  const count = new Map<string, { at: Point; lines: number }>();
  for (const { points } of lines) {
    for (const at of [points[0], points[points.length - 1]]) {
      if (!at) continue;
      const key = at.map((v) => v.toFixed(3)).join();
      const known = count.get(key) ?? { at, lines: 0 };
      count.set(key, { at, lines: known.lines + 1 });
    }
  }
  return [...count.values()].filter((c) => c.lines > 1).map((c) => c.at);
}

interface LineLayerProps {
  lines: DrawnLine[];
  selected: string[];
  /** The line that is being drawn. */
  pending: Point[] | null;
  onPick: (key: string, add: boolean) => void;
}

export function LineLayer({ lines, selected, pending, onPick }: LineLayerProps) {
  return (
    <svg className="line-layer" width="1" height="1">
      <g transform={`scale(${scale})`}>
        {lines.map((line) => {
          const key = keyOfConnection(line.connection);
          return <Line key={key} line={line} selected={selected.includes(key)}
            onPick={onPick} />;
        })}
        {junctions(lines).map((at) => {
          const [x, y] = toSheet(at);
          return <circle key={at.join()} className="junction" cx={x / scale}
            cy={y / scale} r={1} />;
        })}
        {pending && <path className="wire-pending" d={linePath(pending)} />}
      </g>
    </svg>
  );
}
