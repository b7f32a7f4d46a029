// Lines of connections: orthogonal from the start, and still so after their parts
// have moved.
import type { Point } from "../language/protocol";

function same(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-9;
}

/** Drops points that lie on the line between their neighbours. */
export function simplified(points: Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept[kept.length - 1];
    if (last && same(last[0], point[0]) && same(last[1], point[1])) continue;
    const before = kept[kept.length - 2];
    if (before && last) {
      const straight = (same(before[0], last[0]) && same(last[0], point[0]))
        || (same(before[1], last[1]) && same(last[1], point[1]));
      if (straight) kept.pop();
    }
    kept.push(point);
  }
  return kept;
}

/** The side of its part on which a port is, as a direction. */
export type Side = "left" | "right" | "up" | "down";

export function sideOf(port: Point, middle: Point): Side {
  const dx = port[0] - middle[0];
  const dy = port[1] - middle[1];
  if (Math.abs(dx) >= Math.abs(dy)) return dx < 0 ? "left" : "right";
  return dy < 0 ? "down" : "up";
}

const stub = 6;

function away([x, y]: Point, side: Side): Point {
  switch (side) {
    case "left": return [x - stub, y];
    case "right": return [x + stub, y];
    case "up": return [x, y + stub];
    case "down": return [x, y - stub];
  }
}

function isLevel(side: Side): boolean {
  return side === "left" || side === "right";
}

/** An orthogonal line between two ports, which leaves each on its side. */
export function route(from: Point, fromSide: Side, to: Point, toSide: Side): Point[] {
  if (same(from[0], to[0]) || same(from[1], to[1])) {
    const level = same(from[1], to[1]);
    const faces = level
      ? (fromSide === "right") === (from[0] < to[0]) && isLevel(fromSide)
      : (fromSide === "up") === (from[1] < to[1]) && !isLevel(fromSide);
    if (faces) return [from, to];
  }
  const a = away(from, fromSide);
  const b = away(to, toSide);
  const between: Point[] = [];
  if (isLevel(fromSide) && isLevel(toSide)) {
    const forward = (fromSide === "right") === (b[0] >= a[0]);
    if (fromSide !== toSide && forward) {
      const x = Math.round((a[0] + b[0]) / 4) * 2;
      between.push([x, from[1]], [x, to[1]]);
    } else if (fromSide === toSide) {
      const x = fromSide === "right" ? Math.max(a[0], b[0]) : Math.min(a[0], b[0]);
      between.push([x, from[1]], [x, to[1]]);
    } else {
      const y = Math.round((from[1] + to[1]) / 4) * 2;
      between.push(a, [a[0], y], [b[0], y], b);
    }
  } else if (!isLevel(fromSide) && !isLevel(toSide)) {
    const forward = (fromSide === "up") === (b[1] >= a[1]);
    if (fromSide !== toSide && forward) {
      const y = Math.round((a[1] + b[1]) / 4) * 2;
      between.push([from[0], y], [to[0], y]);
    } else if (fromSide === toSide) {
      const y = fromSide === "up" ? Math.max(a[1], b[1]) : Math.min(a[1], b[1]);
      between.push([from[0], y], [to[0], y]);
    } else {
      const x = Math.round((from[0] + to[0]) / 4) * 2;
      between.push(a, [x, a[1]], [x, b[1]], b);
    }
  } else if (isLevel(fromSide)) {
    between.push([to[0], from[1]]);
  } else {
    between.push([from[0], to[1]]);
  }
  return simplified([from, ...between, to]);
}

/**
 * The line while its ends are dragged: whole if both move alike, else only the
 * segment next to the moved end stretches and the line stays orthogonal. At the
 * drop the language service writes it by the same rule.
 */
export function stretched(points: Point[], startBy: Point, endBy: Point): Point[] {
  if (points.length < 2) return points;
  if (same(startBy[0], endBy[0]) && same(startBy[1], endBy[1])) {
    return points.map(([x, y]): Point => [x + startBy[0], y + startBy[1]]);
  }
  const moved = points.map(([x, y]): Point => [x, y]);
  if (moved.length === 2) return twoPoints(moved, startBy, endBy);
  moveEnd(moved, startBy);
  moved.reverse();
  moveEnd(moved, endBy);
  moved.reverse();
  return simplified(moved);
}

/** Moves the first point, and the second across its segment. */
function moveEnd(points: Point[], [dx, dy]: Point): void {
  const [first, second] = points;
  if (!first || !second || (dx === 0 && dy === 0)) return;
  const level = same(first[1], second[1]);
  const upright = same(first[0], second[0]);
  points[0] = [first[0] + dx, first[1] + dy];
  if (level) points[1] = [second[0], second[1] + dy];
  else if (upright) points[1] = [second[0] + dx, second[1]];
}

function twoPoints(points: Point[], startBy: Point, endBy: Point): Point[] {
  const [a, b] = points;
  if (!a || !b) return points;
  const start: Point = [a[0] + startBy[0], a[1] + startBy[1]];
  const end: Point = [b[0] + endBy[0], b[1] + endBy[1]];
  if (same(start[0], end[0]) || same(start[1], end[1])) return [start, end];
  const level = Math.abs(a[0] - b[0]) >= Math.abs(a[1] - b[1]);
  if (level) {
    const x = Math.round((start[0] + end[0]) / 4) * 2;
    return [start, [x, start[1]], [x, end[1]], end];
  }
  const y = Math.round((start[1] + end[1]) / 4) * 2;
  return [start, [start[0], y], [end[0], y], end];
}
