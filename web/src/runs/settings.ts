// The settings of the run bar: kept for each model, laid over it at a run, never
// written into its text.
import { createStore, recall, remember } from "../state/store";
import { focus } from "../state/focus";

export interface Override {
  name: string;
  value: string;
}

export interface RunSettings {
  stop: string;
  solver: string;
  tolerance: string;
  overrides: Override[];
}

const none: RunSettings = { stop: "", solver: "auto", tolerance: "", overrides: [] };

export const solvers = ["auto", "taylor", "dopri5", "dop853", "rodas",
  "cvode-bdf", "cvode-adams", "ida", "trapezoid", "rk4", "heun", "midpoint",
  "ab2", "euler", "implicit-euler", "symplectic-euler"];

export const settings = createStore<RunSettings>(none);

let shown = "";
focus.subscribe(() => {
  const { class: of_class, path } = focus.get();
  // An FMU is a model without a class.
  const name = of_class || path;
  if (name === shown) return;
  shown = name;
  settings.set(recall(`settings.${name}`, none));
});
settings.subscribe(() => {
  if (shown) remember(`settings.${shown}`, settings.get());
});
