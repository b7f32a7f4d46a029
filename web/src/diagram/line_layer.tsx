// The connections, above the icons: each with a halo, and dots where lines of one
// end meet.
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

function classesOf(line: DrawnLine, selected: boolean): string {
  const classes = ["wire"];
  if (selected) classes.push("selected");
  if (!line.connection.present) classes.push("absent");
  return classes.join(" ");
}

const Line = memo(function Line({ line, selected }: {
  line: DrawnLine; selected: boolean;
}) {
  const { connection, points } = line;
  const color = css(connection.color, "var(--line-color)");
  const path = linePath(points);
  return (
    <g className={classesOf(line, selected)} data-wire={keyOfConnection(connection)}>
      <path className="wire-halo" d={path} />
      {selected && <path className="wire-mark" d={path} />}
      <path className="wire-line" d={path}
        {...penOf(color, connection.pattern, connection.thickness)} />
    </g>
  );
});

type Pick = (key: string, add: boolean) => void;

/** The wide stroke that takes clicks, below the parts: a part wins over a line. */
const Hit = memo(function Hit({ line, onPick }: { line: DrawnLine; onPick: Pick }) {
  const { connection, points } = line;
  const pick = (event: MouseEvent) => {
    event.stopPropagation();
    onPick(keyOfConnection(connection), event.shiftKey || event.ctrlKey);
  };
  return (
    <path className="wire-hit" d={linePath(points)} onClick={pick}>
      <title>{`connect(${connection.from}, ${connection.to})`}</title>
    </path>
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
  onPick: Pick;
}

export function LineLayer({ lines, selected, pending, onPick }: LineLayerProps) {
  return (
    <>
      <svg className="hit-layer" width="1" height="1">
        <g transform={`scale(${scale})`}>
          {lines.map((line) => <Hit key={keyOfConnection(line.connection)} line={line}
            onPick={onPick} />)}
        </g>
      </svg>
      <svg className="line-layer" width="1" height="1">
        <g transform={`scale(${scale})`}>
          {lines.map((line) => {
            const key = keyOfConnection(line.connection);
            return <Line key={key} line={line} selected={selected.includes(key)} />;
          })}
          {junctions(lines).map((at) => {
            const [x, y] = toSheet(at);
            return <circle key={at.join()} className="junction" cx={x / scale}
              cy={y / scale} r={1} />;
          })}
          {pending && <path className="wire-pending" d={linePath(pending)} />}
        </g>
      </svg>
    </>
  );
}
