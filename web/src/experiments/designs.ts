// The designs of experiments, one a file of a model; kept in the browser.
import { layout, openTab } from "../state/layout";
import { createStore, recall, remember } from "../state/store";
import { emptyDesign } from "./design";
import type { Design } from "./design";

export const designs = createStore<{ of: Record<string, Design> }>({ of: {} });

const stored = new Map<string, Design>();

/** The design of a file; the same object until it changes. */
export function designOf(of: Record<string, Design>, path: string): Design {
  const known = of[path] ?? stored.get(path) ?? recall(`experiment.${path}`, emptyDesign);
  stored.set(path, known);
  return known;
}

export function changeDesign(path: string, change: (design: Design) => Design): void {
  designs.update(({ of }) => {
    const design = change(designOf(of, path));
    remember(`experiment.${path}`, design);
    return { of: { ...of, [path]: design } };
  });
}

/** Opens the form of a model's experiments, beside its text. */
export function openDesign(path: string): void {
  openTab({ kind: "design", path }, Math.max(1, layout.get().groups.length - 1));
}

/** Opens the form of a calibration against measured data. */
export function designCalibration(path: string, data: string): void {
  changeDesign(path, (design) => ({ ...design, kind: "calibrate", data, match: [] }));
  openDesign(path);
}
