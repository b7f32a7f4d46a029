// Parts that are turned or mirrored about their middles, with the lines that lead
// to their ports.
import type { Edit, Placed, Point, Scene } from "../language/protocol";
import { routeBetween } from "./gestures";
import { endOf } from "./layout";
import { apply, turn } from "./matrix";

/** The middle of a placement, from its origin, in the coordinates of the diagram. */
function middleOf({ extent: [[x1, y1], [x2, y2]], rotation }: Placed): Point {
  return apply(turn(rotation ?? 0, [0, 0]), [(x1 + x2) / 2, (y1 + y2) / 2]);
}

/** A placement turned against the clock. */
export function rotated(at: Placed, degrees: number): Placed {
  const [ox, oy] = at.origin ?? [0, 0];
  const [x, y] = middleOf(at);
  const next = { ...at, rotation: (at.rotation ?? 0) + degrees };
  const [u, v] = middleOf(next);
  return { ...next, origin: [ox + x - u, oy + y - v] };
}

/** A placement mirrored left to right or top to bottom. */
export function flipped(at: Placed, axis: "horizontal" | "vertical"): Placed {
  const [[x1, y1], [x2, y2]] = at.extent;
  const [ox, oy] = at.origin ?? [0, 0];
  const [mx, my] = middleOf(at);
  const across = axis === "horizontal";
  return {
    origin: across ? [ox + 2 * mx, oy] : [ox, oy + 2 * my],
    // Adding zero turns -0 into 0.
    extent: across ? [[-x1 + 0, y1], [-x2 + 0, y2]] : [[x1, -y1 + 0], [x2, -y2 + 0]],
    rotation: -(at.rotation ?? 0) + 0,
  };
}

/** The lines that lead to parts which are placed anew, from port to port. */
export function reroutes(
  scene: Scene, parts: string[], place: (at: Placed) => Placed,
): Edit[] {
  const turned: Scene = {
    ...scene,
    components: scene.components.map((part) => (part.at && parts.includes(part.name)
      ? { ...part, at: place(part.at) } : part)),
  };
  return scene.connections.flatMap(({ from, to, points, inherited }): Edit[] => {
    const leads = parts.includes(endOf(from).part) || parts.includes(endOf(to).part);
    return leads && !inherited && points.length > 1
      ? [{ op: "reroute", from, to, points: routeBetween(turned, from, to) }] : [];
  });
}
