// Paths of lines: straight, smooth, and the heads of arrows. Coordinates are those
// of Modelica; what is written has y down.
import type { ReactNode } from "react";
import type { Point } from "../language/protocol";

function write([x, y]: Point): string {
  return `${Number(x.toFixed(4))} ${Number((-y).toFixed(4))}`;
}

export function linePath(points: Point[]): string {
  return points.map((p, i) => `${i === 0 ? "M" : "L"}${write(p)}`).join("");
}

function middle(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

/**
 * Modelica's smooth line: quadratic curves between the middles of its segments,
 * whose control points are the points between; straight at both ends.
 */
export function bezierPath(points: Point[]): string {
  const first = points[0];
  const last = points[points.length - 1];
  if (!first || !last || points.length < 3) return linePath(points);
  let path = `M${write(first)}`;
  for (let i = 1; i < points.length - 1; ++i) {
    const control = points[i] ?? first;
    const next = points[i + 1] ?? last;
    if (i === 1) path += `L${write(middle(first, control))}`;
    path += `Q${write(control)} ${write(middle(control, next))}`;
  }
  return `${path}L${write(last)}`;
}

/** The head of an arrow at `to`, seen from `from`. */
export function arrowHead(
  from: Point | undefined, to: Point | undefined, kind: string, size: number,
  color: string,
): ReactNode {
  if (!from || !to || kind === "None") return null;
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const side = (by: number): Point => [
    to[0] - size * Math.cos(angle + by), to[1] - size * Math.sin(angle + by),
  ];
  const spread = Math.PI / 8;
  const left = side(spread);
  const right = side(-spread);
  if (kind === "Filled") {
    return <path d={`${linePath([left, to, right])}Z`} fill={color} stroke={color}
      strokeWidth={0.25} />;
  }
  const points = kind === "Half" ? [left, to] : [left, to, right];
  return <path d={linePath(points)} fill="none" stroke={color} strokeWidth={0.5} />;
}
