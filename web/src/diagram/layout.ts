// Where parts, ports and lines of a scene are on the sheet.
import type { Connection, Extent, Part, Point, Port, Scene } from "../language/protocol";
import { after, apply, boxOf, cornersOf, placement, scale, toSheet, turn } from "./matrix";
import type { Box, Matrix } from "./matrix";

const unit_icon: Extent = [[-100, -100], [100, 100]];

/** From the icon's coordinates of a part to those of the diagram. */
export function partMatrix(part: Part, icon: Extent = unit_icon): Matrix {
  return part.at ? placement(part.at, icon) : turn(0, [0, 0]);
}

/** The box of a part on the sheet, in pixels. */
export function partBox(part: Part, icon: Extent = unit_icon): Box {
  const matrix = partMatrix(part, icon);
  return boxOf(cornersOf(icon).map((corner) => toSheet(apply(matrix, corner))));
}

/** The middle of a port in the coordinates of the diagram. */
export function portPoint(part: Part, port: Port, icon: Extent = unit_icon): Point {
  const inside = placement(port.at, unit_icon);
  return apply(after(partMatrix(part, icon), inside), [0, 0]);
}

/** From coordinates of an icon with y down to pixels of a box with y down. */
export function drawingMatrix(part: Part, icon: Extent, box: Box): Matrix {
  const flip: Matrix = [1, 0, 0, -1, 0, 0];
  const onSheet: Matrix = [scale, 0, 0, -scale, -box.x, -box.y];
  return after(onSheet, after(partMatrix(part, icon), flip));
}

export interface End {
  part: string;
  port: string;
}

/** "R1.n" names a port of a part, "u" a connector of the class itself. */
export function endOf(name: string): End {
  const plain = name.replace(/\[[^\]]*\]/g, "");
  const dot = plain.indexOf(".");
  return dot < 0 ? { part: plain, port: "" }
    : { part: plain.slice(0, dot), port: plain.slice(dot + 1) };
}

export function keyOfConnection(connection: Connection): string {
  return `${connection.from}|${connection.to}`;
}

/** Where an end of a connection is; undefined for an unknown part. */
export function endPoint(scene: Scene, name: string): Point | undefined {
  const { part: partName, port: portName } = endOf(name);
  const part = scene.components.find((p) => p.name === partName);
  if (!part?.at) return undefined;
  if (!portName) return apply(partMatrix(part), [0, 0]);
  const port = part.ports.find((p) => p.name === portName)
    ?? part.ports.find((p) => p.name === portName.split(".")[0]);
  return port ? portPoint(part, port) : undefined;
}
