// The keys of the sheet: move, turn, remove, connect, step from part to part.
import { useCallback, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import type { Point, Scene } from "../language/protocol";
import { focus } from "../state/focus";
import { layout } from "../state/layout";
import { redoIn, undoIn } from "../state/steps";
import { connect, edit, removeSelected, routeBetween } from "./gestures";
import { refuseInherited } from "./inherited";
import { directionOf, nameOf, nextPort, portsOf } from "./keyboard";
import type { PortPlace } from "./keyboard";
import { flipped, reroutes, rotated } from "./turned";

interface SheetKeysOptions {
  path: string;
  name: string;
  scene: Scene;
  editable: boolean;
  host: RefObject<HTMLDivElement | null>;
  /** Shows all, within some milliseconds. */
  fit: (duration: number) => void;
}

interface Wiring {
  from: PortPlace | null;
  at: PortPlace;
}

function nextPart(scene: Scene, back: boolean): string | undefined {
  const names = scene.components.filter((p) => p.at).map((p) => p.name);
  const at = names.indexOf(focus.get().parts[0] ?? "");
  if (names.length === 0) return undefined;
  if (at < 0) return back ? names[names.length - 1] : names[0];
  return names[(at + (back ? names.length - 1 : 1)) % names.length];
}

export function useSheetKeys(options: SheetKeysOptions) {
  const { path, name, scene, editable, host, fit } = options;
  const [wiring, setWiring] = useState<Wiring | null>(null);

  const wire = useCallback((event: KeyboardEvent): boolean => {
    if (!wiring) return false;
    const direction = directionOf(event.key);
    if (direction) {
      const ports = portsOf(scene);
      const own = ports.filter((p) => p.part === wiring.at.part);
      const among = wiring.from ? ports : own;
      setWiring({ ...wiring, at: nextPort(among, wiring.at, direction) });
    } else if (event.key === "Enter") {
      if (!wiring.from) {
        setWiring({ from: wiring.at, at: wiring.at });
      } else if (nameOf(wiring.from) !== nameOf(wiring.at)) {
        void connect(path, name, scene, nameOf(wiring.from), nameOf(wiring.at));
        setWiring(null);
      }
    } else if (event.key === "Escape") {
      setWiring(null);
    } else {
      return false;
    }
    return true;
  }, [wiring, scene, path, name]);

  const change = useCallback((event: KeyboardEvent): boolean => {
    const { parts } = focus.get();
    const direction = directionOf(event.key);
    const selected = parts.length > 0;
    const stays = (doing: string) => refuseInherited(scene, parts, [], doing);
    if (direction && selected) {
      if (stays("moved")) return true;
      const [gx, gy] = scene.system.grid;
      const far = event.shiftKey ? 5 : 1;
      const by: Point = [direction[0] * gx * far, direction[1] * gy * far];
      void edit(path, name, [{ op: "move", components: parts, by }], "move parts");
    } else if ((event.key === "r" || event.key === "R") && selected) {
      if (stays("rotated")) return true;
      const by = event.shiftKey ? -90 : 90;
      void edit(path, name, [{ op: "rotate", components: parts, by },
        ...reroutes(scene, parts, (at) => rotated(at, by))], "rotate");
    } else if ((event.key === "h" || event.key === "v") && selected) {
      if (stays("flipped")) return true;
      const axis = event.key === "h" ? "horizontal" : "vertical";
      void edit(path, name, [{ op: "flip", components: parts, axis },
        ...reroutes(scene, parts, (at) => flipped(at, axis))], "flip");
    } else if (event.key === "Delete" || event.key === "Backspace") {
      void removeSelected(path, name);
    } else if (event.key === "c" && parts.length === 1) {
      const first = portsOf(scene).find((p) => p.part === parts[0]);
      if (first) setWiring({ from: null, at: first });
    } else {
      return false;
    }
    return true;
  }, [path, name, scene]);

  const look = useCallback((event: KeyboardEvent): boolean => {
    if (event.key === "Tab" && !event.ctrlKey) {
      const next = nextPart(scene, event.shiftKey);
      if (!next) return false;
      focus.set({ parts: [next], lines: [] });
    } else if (event.key === "Escape") {
      focus.set({ parts: [], lines: [] });
    } else if (event.key === "0" && event.ctrlKey) {
      fit(150);
    } else if (event.key === "a" && !event.ctrlKey) {
      layout.set({ sidebar: true, activity: "model" });
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>(
        ".library input[type=search]")?.focus());
    } else {
      return false;
    }
    return true;
  }, [scene, fit]);

  const onKeyDown = useCallback((event: KeyboardEvent) => {
    const steps = event.ctrlKey || event.metaKey;
    let done = true;
    if (steps && event.key === "z") undoIn(path);
    else if (steps && event.key === "y") redoIn(path);
    else if (!steps && editable && (wire(event) || change(event))) done = true;
    else done = look(event);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
    // A part that is drawn anew loses the keyboard's focus to the page.
    host.current?.focus();
  }, [path, editable, wire, change, look, host]);

  const help = !wiring ? "" : wiring.from
    ? `Connect ${nameOf(wiring.from)} to ${nameOf(wiring.at)}: arrows choose, Enter connects`
    : `Connect from ${nameOf(wiring.at)}: arrows choose, Enter begins, Escape ends`;
  const pending = wiring?.from
    ? routeBetween(scene, nameOf(wiring.from), nameOf(wiring.at)) : null;
  return { onKeyDown, help, pending, chosen: wiring?.at ?? null };
}
