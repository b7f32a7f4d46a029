// Affine maps between the coordinates of Modelica (y up) and of the page (y down).
import type { Extent, Placed, Point } from "../language/protocol";

/** x' = a x + c y + e, y' = b x + d y + f, as SVG writes it. */
export type Matrix = [number, number, number, number, number, number];

/** Pixels of the sheet at zoom 1 for a unit of a diagram. */
export const scale = 2;

/** The map that does `first`, then `then`. */
export function after(then: Matrix, first: Matrix): Matrix {
  const [a, b, c, d, e, f] = then;
  const [p, q, r, s, t, u] = first;
  return [
    a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s,
    a * t + c * u + e, b * t + d * u + f,
  ];
}

export function apply([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The map by which a placement puts the picture with corners `picture`. */
export function placement(at: Placed, picture: Extent): Matrix {
  const [[x1, y1], [x2, y2]] = at.extent;
  const [[p1, q1], [p2, q2]] = picture;
  const sx = (x2 - x1) / (p2 - p1 || 1);
  const sy = (y2 - y1) / (q2 - q1 || 1);
  const fit: Matrix = [sx, 0, 0, sy, x1 - sx * p1, y1 - sy * q1];
  return after(turn(at.rotation ?? 0, at.origin ?? [0, 0]), fit);
}

/** Turns by degrees against the clock, then moves to `origin`. */
export function turn(degrees: number, origin: Point): Matrix {
  const angle = (degrees * Math.PI) / 180;
  const cos = exact(Math.cos(angle));
  const sin = exact(Math.sin(angle));
  return [cos, sin, -sin, cos, origin[0], origin[1]];
}

/** Rounds what should be 0, 1 or -1 for quarter turns. */
function exact(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-12 ? whole : value;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The box around the points. */
export function boxOf(points: Point[]): Box {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export function cornersOf([[x1, y1], [x2, y2]]: Extent): Point[] {
  return [[x1, y1], [x2, y1], [x2, y2], [x1, y2]];
}

/** From the coordinates of a diagram to pixels of the sheet. */
export function toSheet([x, y]: Point): Point {
  return [x * scale, -y * scale];
}

/** From pixels of the sheet to the coordinates of a diagram. */
export function fromSheet([x, y]: Point): Point {
  return [x / scale, -y / scale];
}

/** The nearest point of the grid. */
export function snap([x, y]: Point, [gx, gy]: Point): Point {
  // Adding zero turns -0 into 0, which a text would show.
  return [Math.round(x / gx) * gx + 0, Math.round(y / gy) * gy + 0];
}

export function asTransform(m: Matrix): string {
  return `matrix(${m.map((v) => Number(v.toFixed(6))).join(" ")})`;
}
