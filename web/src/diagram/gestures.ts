// Gestures of the user in a diagram, as edits of its text. The language service
// turns each gesture into changes of a few bytes, applied as one step of the
// document's history.
import { inquire } from "../language/client";
import type { Edit, EditAnswer, Placed, Point, Scene } from "../language/protocol";
import { searchClasses } from "../library/search";
import { noteUse } from "../library/usual_classes";
import { documents, refuseFollowed } from "../state/documents";
import { focus } from "../state/focus";
import { notify, notifyError } from "../state/notices";
import { uriOf } from "../state/session";
import { applyToAll } from "../state/steps";
import { refuseInherited } from "./inherited";
import { keyOfConnection } from "./layout";
import { route, sideOf } from "./routing";
import { apply as applyMatrix } from "./matrix";
import { endOf, endPoint, partMatrix } from "./layout";
import { sceneKey, sceneOf, scenes } from "./scenes";

/** Whether the text of a class may be changed here. */
export function isEditable(path: string): boolean {
  const info = documents.get().open[path];
  return !!info && !info.readonly && !info.follows;
}

/** Carries out edits as one gesture; says why if it cannot. */
export async function edit(
  path: string, name: string, steps: Edit[], what: string,
): Promise<boolean> {
  if (refuseFollowed(path)) return false;
  if (!isEditable(path)) {
    notify("info", "Classes of libraries cannot be changed here",
      "Duplicate the class into your folder to change it.");
    return false;
  }
  const uri = uriOf(path);
  const ask = () => inquire<unknown, EditAnswer>("orrery/edit", {
    uri, class: name, do: steps,
  });
  try {
    // A text that moved on meanwhile is asked about once more.
    const answer = await ask().catch((reason: unknown) => {
      if ((reason as { code?: number }).code === -32801) return ask();
      throw reason;
    });
    const saves = steps.some(({ op }) => op === "rename");
    if (!await applyToAll(answer, what, { saves })) return false;
    if (answer.names?.length) focus.set({ parts: answer.names, lines: [] });
    return true;
  } catch (reason) {
    notifyError(what, reason);
    return false;
  }
}

function currentScene(): Scene | null {
  const { path, class: name } = focus.get();
  return scenes.get().of[sceneKey(path, name)]?.scene ?? null;
}

/** A place where no other part is, near the middle of the sheet. */
function freePlace(scene: Scene): Point {
  const taken = scene.components.flatMap((part) =>
    part.at ? [applyMatrix(partMatrix(part), [0, 0])] : []);
  for (let ring = 0; ring < 12; ++ring) {
    for (let i = -ring; i <= ring; ++i) {
      for (const [cx, cy] of [[i, ring], [i, -ring], [ring, i], [-ring, i]] as Point[]) {
        const place: Point = [cx * 30, cy * 30];
        const free = taken.every(([x, y]) =>
          Math.abs(x - place[0]) > 24 || Math.abs(y - place[1]) > 24);
        if (free) return place;
      }
    }
  }
  return [0, 0];
}

/** The usual size of a component in a diagram. */
const half = 10;

export async function insertAt(
  path: string, name: string, type: string, at: Point,
): Promise<boolean> {
  const place: Placed = { origin: at, extent: [[-half, -half], [half, half]] };
  const done = await edit(path, name, [{ op: "addComponent", type, at: place }],
    `add ${type.slice(type.lastIndexOf(".") + 1)}`);
  if (done) void noteClass(type);
  return done;
}

/** Keeps a class among those that were used last. */
async function noteClass(name: string): Promise<void> {
  const found = (await searchClasses(name, 20)).find((item) => item.name === name);
  noteUse(found ?? { name, kind: "model", text: "", children: 0, partial: false });
}

/** Inserts a class into the diagram in focus, at a free place. */
export async function insertIntoDiagram(type: string): Promise<void> {
  const { path, class: name } = focus.get();
  const scene = await sceneOf(path, name);
  if (!scene) {
    notify("info", "Open the diagram of a model first",
      "Then a class of the library can be inserted into it.");
    return;
  }
  await insertAt(path, name, type, freePlace(scene));
}

/** Connects two ends by an orthogonal line. */
export async function connect(
  path: string, name: string, scene: Scene, from: string, to: string,
): Promise<boolean> {
  const points = routeBetween(scene, from, to);
  return edit(path, name, [{ op: "connect", from, to, points }], "connect");
}

export function routeBetween(scene: Scene, from: string, to: string): Point[] {
  const middleOf = (end: string): Point => {
    const part = scene.components.find((p) => p.name === endOf(end).part);
    return part ? applyMatrix(partMatrix(part), [0, 0]) : [0, 0];
  };
  const a = endPoint(scene, from);
  const b = endPoint(scene, to);
  if (!a || !b) return [];
  // A connector of the class itself is the end of a line that comes from inside.
  const side = (end: string, at: Point, other: Point) =>
    endOf(end).port ? sideOf(at, middleOf(end)) : sideOf(other, at);
  return route(a, side(from, a, b), b, side(to, b, a));
}

/** Removes what is selected. */
export async function removeSelected(path: string, name: string): Promise<void> {
  const { parts, lines } = focus.get();
  if (parts.length + lines.length === 0) return;
  const scene = currentScene();
  if (scene && refuseInherited(scene, parts, lines, "removed")) return;
  const connections = scene?.connections
    .filter((c) => lines.includes(keyOfConnection(c)))
    .map((c): [string, string] => [c.from, c.to]) ?? [];
  const done = await edit(path, name,
    [{ op: "remove", components: parts, connections }], "remove");
  if (done) focus.set({ parts: [], lines: [] });
}
