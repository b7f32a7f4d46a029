// Places for parts that nobody has placed: proposed by ELK in a worker, drawn at once,
// written into the text only when the user keeps them.
import ELK from "elkjs/lib/elk-api";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import type { ElkNode } from "elkjs/lib/elk-api";
import type { Edit, Placed, Scene } from "../language/protocol";
import { endOf } from "./layout";
import { snap } from "./matrix";

/** Units of a diagram that a part is wide and high. */
const size = 20;

let elk: InstanceType<typeof ELK> | undefined;

/** The height at which nothing that has a place reaches lower, if something has one. */
function belowAll(scene: Scene): number | undefined {
  const bottoms = scene.components.flatMap(({ at }) => {
    if (!at) return [];
    // However it is turned, it reaches no farther than its farthest corner.
    const reach = Math.max(...at.extent.map(([x, y]) => Math.hypot(x, y)));
    return [(at.origin?.[1] ?? 0) - reach];
  });
  return bottoms.length > 0 ? Math.min(...bottoms) - size / 2 : undefined;
}

/** Places for the parts that have none, by their names; below those that have one. */
export async function proposePlaces(scene: Scene): Promise<Map<string, Placed>> {
  const parts = scene.components.filter((part) => !part.at && part.present);
  const names = new Set(parts.map((part) => part.name));
  if (parts.length === 0) return new Map();
  elk ??= new ELK({ workerUrl });
  const graph: ElkNode = await elk.layout({
    id: "scene",
    layoutOptions: {
      "elk.algorithm": "layered", "elk.direction": "RIGHT",
      "elk.spacing.nodeNode": "20", "elk.layered.spacing.nodeNodeBetweenLayers": "30",
    },
    children: parts.map(({ name }) => ({ id: name, width: size, height: size })),
    edges: scene.connections.flatMap(({ from, to }, i) => {
      const [a, b] = [endOf(from).part, endOf(to).part];
      return names.has(a) && names.has(b) && a !== b
        ? [{ id: `e${i}`, sources: [a], targets: [b] }] : [];
    }),
  });
  const height = graph.height ?? 0;
  const top = belowAll(scene) ?? height / 2;
  const middle = (graph.width ?? 0) / 2;
  return new Map((graph.children ?? []).map(({ id, x = 0, y = 0 }): [string, Placed] => [id, {
    origin: snap([x + size / 2 - middle, top - y - size / 2], [2, 2]),
    extent: [[-size / 2, -size / 2], [size / 2, size / 2]],
  }]));
}

/** The edits that write the proposed places into the text. */
export function keepingEdits(scene: Scene, places: Map<string, Placed>): Edit[] {
  return scene.components.flatMap(({ name, at, inherited }): Edit[] => {
    const place = places.get(name);
    return !at && !inherited && place ? [{ op: "move", component: name, at: place }] : [];
  });
}
