// Ports chosen by arrow keys, so that parts can be connected without a mouse.
import type { Point, Scene } from "../language/protocol";
import { apply } from "./matrix";
import { partMatrix, portPoint } from "./layout";

export interface PortPlace {
  part: string;
  port: string;
  at: Point;
}

/** All ports of a scene, with those connectors that belong to the class itself. */
export function portsOf(scene: Scene): PortPlace[] {
  return scene.components.filter((part) => part.at && part.present).flatMap((part) => [
    ...(part.connector
      ? [{ part: part.name, port: "", at: apply(partMatrix(part), [0, 0]) }] : []),
    ...part.ports.filter((port) => port.present !== false).map((port) => ({
      part: part.name, port: port.name, at: portPoint(part, port),
    })),
  ]);
}

export function nameOf({ part, port }: { part: string; port: string }): string {
  return port ? `${part}.${port}` : part;
}

const directions: Record<string, Point> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

export function directionOf(key: string): Point | undefined {
  return directions[key];
}

/** The nearest port in a direction; far off to the side counts double. */
export function nextPort(
  ports: PortPlace[], from: PortPlace, [dx, dy]: Point,
): PortPlace {
  let best = from;
  let least = Infinity;
  for (const port of ports) {
    const x = port.at[0] - from.at[0];
    const y = port.at[1] - from.at[1];
    const ahead = x * dx + y * dy;
    if (ahead <= 1e-9) continue;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    const cost = ahead + 2 * aside;
    if (cost < least) {
      least = cost;
      best = port;
    }
  }
  return best;
}
