// Drawings of base classes stand in their texts: a gesture on one says so.
import type { Scene } from "../language/protocol";
import { notify } from "../state/notices";
import { keyOfConnection } from "./layout";

function refuse(what: string, base: string, doing: string): void {
  notify("info", `${what} cannot be ${doing} here: it is inherited from ${base}`,
    `Open ${base} to change it for all classes that extend it.`);
}

/** Whether one of these parts or lines is inherited; if so, that is told. */
export function refuseInherited(
  scene: Scene, parts: string[], lines: string[], doing: string,
): boolean {
  const part = scene.components.find((p) => p.inherited && parts.includes(p.name));
  if (part?.inherited) {
    refuse(part.name, part.inherited, doing);
    return true;
  }
  const line = scene.connections.find((c) => c.inherited
    && lines.includes(keyOfConnection(c)));
  if (line?.inherited) {
    refuse(`The connection of ${line.from} and ${line.to}`, line.inherited, doing);
    return true;
  }
  return false;
}

const least_drag_px = 4;

/** Tells why an inherited part stays where it is, if the pointer begins to drag it. */
export function watchDragOf(scene: Scene, name: string, x: number, y: number): void {
  const end = () => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
  };
  const move = (event: PointerEvent) => {
    if (Math.hypot(event.clientX - x, event.clientY - y) < least_drag_px) return;
    refuseInherited(scene, [name], [], "moved");
    end();
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
}
