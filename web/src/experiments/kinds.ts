// The kinds of experiments and analyses, in the words of the form.
import type { Kind } from "./design";

export interface KindText {
  id: Kind;
  title: string;
  text: string;
  /** What stands beside a name. */
  values: string;
  example: string;
}

export const kinds: KindText[] = [
  { id: "sweep", title: "Sweep", text: "Runs over a grid or a list",
    values: "range or list",
    example: "1:0.5:5, {1,2,5}, logspace(0,3,10)" },
  { id: "montecarlo", title: "Monte Carlo", text: "Draws values until a mean is known",
    values: "distribution",
    example: "normal(4,0.2), uniform(1,2) or [0.1,10]" },
  { id: "calibrate", title: "Calibrate", text: "Estimates parameters from measured data",
    values: "bounds", example: "[0.1,10], 1[0.1,10] from a guess, or log[0.01,100]" },
  { id: "optimize", title: "Optimise", text: "Seeks the values that do best",
    values: "bounds", example: "[0.1,10], log[0.1,10] or integer[1,5]" },
  { id: "sensitivity", title: "Sensitivity", text: "Finds what results depend on",
    values: "bounds or distribution", example: "[0.1,10] or normal(4,0.2)" },
  { id: "steady", title: "Steady state", text: "Finds where the model stands still",
    values: "value", example: "2 or 1.5 kOhm" },
  { id: "linearize", title: "Eigenvalues", text: "Modes and matrices at a point",
    values: "value", example: "2 or 1.5 kOhm" },
  { id: "frequency", title: "Bode", text: "Answers to inputs of each frequency",
    values: "value", example: "2 or 1.5 kOhm" },
];

interface OptionText {
  label: string;
  placeholder?: string;
  /** Values and their words; the first is what holds without a choice. */
  choices?: [string, string][];
  is_flag?: boolean;
}

const optionTexts: Record<string, OptionText> = {
  runs: { label: "runs", placeholder: "1000" },
  stop: { label: "stop", placeholder: "as in model" },
  seed: { label: "seed", placeholder: "1" },
  jobs: { label: "jobs", placeholder: "all" },
  sigma: { label: "errors", placeholder: "0.05, 5% or a column" },
  starts: { label: "searches", placeholder: "1" },
  confidence: { label: "confidence", placeholder: "0.95" },
  log: { label: "compare logarithms", is_flag: true },
  profile: { label: "intervals of the likelihood", is_flag: true },
  "subject-to": { label: "subject to", placeholder: "max(x) <= 2" },
  "max-evaluations": { label: "evaluations", placeholder: "as needed" },
  samples: { label: "samples", placeholder: "as usual" },
  free: { label: "inputs to find", placeholder: "u" },
  moving: { label: "states that may move", placeholder: "none" },
  time: { label: "time", placeholder: "start" },
  at: { label: "at", placeholder: "start", choices: [
    ["", "the start"], ["steady", "a steady state"]] },
  inputs: { label: "inputs", placeholder: "all" },
  outputs: { label: "outputs", placeholder: "the model's" },
  frequencies: { label: "frequencies, rad/s", placeholder: "around the poles" },
};

const designs: Partial<Record<Kind, [string, string][]>> = {
  sweep: [["", "as the values say"], ["grid", "grid"], ["list", "list"],
    ["random", "random"], ["latin-hypercube", "Latin hypercube"], ["sobol", "Sobol'"]],
  montecarlo: [["", "random"], ["latin-hypercube", "Latin hypercube"],
    ["sobol", "Sobol'"]],
};

const methods: Partial<Record<Kind, [string, string][]>> = {
  optimize: [["", "chosen for me"], ["bobyqa", "BOBYQA"], ["cobyla", "COBYLA"],
    ["nelder-mead", "Nelder-Mead"], ["subplex", "Subplex"], ["slsqp", "SLSQP"],
    ["l-bfgs", "L-BFGS"], ["direct-l", "DIRECT-L"], ["crs2", "CRS2"],
    ["isres", "ISRES"], ["esch", "ESCH"], ["mlsl", "MLSL"]],
  sensitivity: [["", "Morris: which matter"], ["sobol", "Sobol': parts of variance"],
    ["local", "local: derivatives"]],
};

/** An option as the form of a kind shows it. */
export function optionText(kind: Kind, name: string): OptionText {
  if (name === "design") return { label: "design", choices: designs[kind] ?? [] };
  if (name === "method") return { label: "method", choices: methods[kind] ?? [] };
  return optionTexts[name] ?? { label: name };
}
