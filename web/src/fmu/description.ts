// Descriptions of FMUs of the folder, and models written as FMUs.
import { getJson, sendJson } from "../api/client";
import { onNews } from "../api/events";
import { saveAll } from "../state/documents";
import { focus } from "../state/focus";
import { notify, notifyError } from "../state/notices";
import { createStore } from "../state/store";

export interface FmuVariable {
  name: string;
  type: string;
  causality: string;
  variability: string;
  start: string | null;
  unit: string;
  description: string;
}

export interface FmuDescription {
  model: string;
  fmi: string;
  description: string;
  tool: string;
  platforms: string[];
  interfaces: { kind: string }[];
  states: number;
  variables: FmuVariable[];
}

interface KnownFmu {
  description: FmuDescription | null;
  failure: string;
}

export const fmus = createStore<{ of: Record<string, KnownFmu> }>({ of: {} });

export function isFmu(path: string): boolean {
  return path.endsWith(".fmu");
}

export async function loadFmu(path: string): Promise<void> {
  const known: KnownFmu = await getJson<FmuDescription>("/api/fmu", { path })
    .then((description) => ({ description, failure: "" }))
    .catch((reason: unknown) => ({
      description: null, failure: reason instanceof Error ? reason.message : String(reason),
    }));
  fmus.update(({ of }) => ({ of: { ...of, [path]: known } }));
}

onNews("file", ({ path }) => {
  if (fmus.get().of[path]) void loadFmu(path);
});

/** Writes the model in focus as an FMU, beside its file. */
export async function exportFmu(): Promise<void> {
  const { path: file, class: name } = focus.get();
  if (!name) {
    notify("info", "Open a model first", "It is then written as an FMU.");
    return;
  }
  if (!(await saveAll())) return;
  try {
    const { path } = await sendJson<{ path: string }>("POST", "/api/fmu",
      { file, class: name });
    notify("good", `${name} was written as ${path}`, "Other tools can run it by FMI 3.");
  } catch (reason) {
    notifyError(`write ${name} as an FMU`, reason);
  }
}
