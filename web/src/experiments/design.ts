// A design of an experiment in the page, and the command that it stands for.
import type { RunRequest } from "../api/types";
import { countVariants, splitVaried } from "../runs/variants";
import type { Override } from "../runs/settings";

export type Kind = "sweep" | "calibrate" | "optimize" | "sensitivity";

export interface Design {
  kind: Kind;
  /** What varies: a range, a list, a distribution, or bounds. */
  vary: Override[];
  /** Measures that are kept of each run, or made small or large. */
  measures: { text: string; goal: "keep" | "minimize" | "maximize" }[];
  design: string;
  runs: string;
  seed: string;
  jobs: string;
  untilKnown: string;
  /** Path of the measured data, and which column is which signal. */
  data: string;
  match: Override[];
  stop: string;
}

export const emptyDesign: Design = {
  kind: "sweep", vary: [{ name: "", value: "" }], measures: [], design: "auto",
  runs: "", seed: "", jobs: "", untilKnown: "", data: "", match: [], stop: "",
};

/** How many runs a sweep makes; null if its end is not known before. */
export function runsOf(design: Design): number | null {
  if (design.kind !== "sweep" || design.untilKnown) return null;
  const asked = Number(design.runs) || 1000;
  const count = countVariants(design.vary, asked);
  const drawn = !["auto", "grid", "list"].includes(design.design);
  return drawn ? asked : count;
}

/** What keeps a design from being started; empty if nothing does. */
export function obstacle(design: Design): string {
  const varied = design.vary.filter((v) => v.name.trim() && v.value.trim());
  if (varied.length === 0) return "name a parameter and what it varies over";
  const incomplete = design.vary.find((v) => Boolean(v.name.trim()) !== Boolean(v.value.trim()));
  if (incomplete) return `complete the line of ${incomplete.name || incomplete.value}`;
  if (design.kind === "calibrate" && !design.data) return "choose the measured data";
  const goals = design.measures.filter((m) => m.text.trim() && m.goal !== "keep");
  if (design.kind === "optimize" && goals.length === 0) {
    return "say what is to be small or large";
  }
  if (design.kind === "sensitivity"
      && !design.measures.some((m) => m.text.trim())) {
    return "name a measure whose causes are sought";
  }
  return "";
}

/** The request that starts it. */
export function requestOf(design: Design, file: string, name: string): RunRequest {
  const { kind } = design;
  const { vary, set } = kind === "sweep" ? splitVaried(design.vary)
    : { vary: design.vary.filter((v) => v.name.trim())
        .map((v) => `${v.name.trim()}=${v.value.trim()}`), set: {} };
  const options: Record<string, string> = {};
  if (design.stop) options["stop"] = design.stop;
  if (design.jobs) options["jobs"] = design.jobs;
  if (design.seed && kind !== "calibrate") options["seed"] = design.seed;
  if (kind === "sweep") {
    if (design.design !== "auto") options["design"] = design.design;
    if (design.untilKnown) options["until-known"] = design.untilKnown;
    if (design.runs) options["runs"] = design.runs;
  }
  const request: RunRequest = { command: kind, file, set, options, vary };
  if (name) request.class = name;
  const of = (goal: string) => design.measures
    .filter((m) => m.goal === goal && m.text.trim()).map((m) => m.text.trim());
  if (kind === "optimize") {
    const minimize = of("minimize");
    const maximize = of("maximize");
    if (minimize.length > 0) request.minimize = minimize;
    if (maximize.length > 0) request.maximize = maximize;
  } else if (kind !== "calibrate") {
    const keep = design.measures.map((m) => m.text.trim()).filter(Boolean);
    if (keep.length > 0) request.keep = keep;
  } else {
    request.data = [design.data];
    request.match = design.match.filter((m) => m.name && m.value)
      .map((m) => `${m.name}=${m.value}`);
  }
  return request;
}
