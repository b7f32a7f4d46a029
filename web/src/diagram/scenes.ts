// The scenes of the diagrams in view, asked for again when their text changes. A
// text that cannot be read keeps the last good scene, marked as stale.
import { inquire } from "../language/client";
import type { Scene } from "../language/protocol";
import { uriOf } from "../state/session";
import { createStore } from "../state/store";

export interface KnownScene {
  scene: Scene | null;
  stale: boolean;
  problem: string;
}

export const scenes = createStore<{ of: Record<string, KnownScene> }>({ of: {} });

/** How many diagrams show a class. */
const watched = new Map<string, number>();

export function sceneKey(path: string, name: string): string {
  return `${path}#${name}`;
}

const unknown: KnownScene = { scene: null, stale: false, problem: "" };

export async function loadScene(path: string, name: string): Promise<void> {
  const key = sceneKey(path, name);
  const keep = (part: Partial<KnownScene>) => scenes.update(({ of }) => ({
    of: { ...of, [key]: { ...(of[key] ?? unknown), ...part } },
  }));
  try {
    const scene = await inquire<unknown, Scene | null>("orrery/scene",
      { uri: uriOf(path), class: name, layer: "diagram" });
    const last = scenes.get().of[key]?.scene;
    if (scene?.broken && last) keep({ stale: true, problem: "" });
    else if (scene) keep({ scene, stale: scene.broken ?? false, problem: "" });
    else keep({ stale: true, problem: `there is no class ${name} in this text` });
  } catch (reason) {
    const problem = reason instanceof Error ? reason.message
      : String((reason as { message?: unknown }).message ?? reason);
    keep({ stale: true, problem });
  }
}

/** Scenes that were asked for before a diagram shows them. */
const expected = new Set<string>();

/** Asks for the scene of a class whose diagram is about to be shown. */
export function expectScene(path: string, name: string): void {
  expected.add(sceneKey(path, name));
  void loadScene(path, name);
}

/** The scene of a class, also of one whose diagram is about to be shown. */
export async function sceneOf(path: string, name: string): Promise<Scene | null> {
  const key = sceneKey(path, name);
  const known = () => scenes.get().of[key]?.scene ?? null;
  if (name && !known()) await loadScene(path, name);
  return known();
}

/** Keeps the scene of a class up to date until the answer is called. */
export function watchScene(path: string, name: string): () => void {
  const key = sceneKey(path, name);
  watched.set(key, (watched.get(key) ?? 0) + 1);
  if (!expected.delete(key)) void loadScene(path, name);
  return () => {
    const left = (watched.get(key) ?? 1) - 1;
    if (left > 0) watched.set(key, left);
    else watched.delete(key);
  };
}

export function refreshScenes(path: string): void {
  for (const key of watched.keys()) {
    const [of, name] = key.split("#");
    if (of === path && name) void loadScene(path, name);
  }
}
