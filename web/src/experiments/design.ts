// A design of an experiment in the page, and the command that it stands for.
import type { RunRequest } from "../api/types";
import { countVariants, splitVaried } from "../runs/variants";
import type { Override } from "../runs/settings";

export type Kind = "sweep" | "montecarlo" | "calibrate" | "optimize"
  | "sensitivity" | "steady" | "linearize" | "frequency";

export interface Measure {
  text: string;
  goal: "minimize" | "maximize";
}

export interface Design {
  kind: Kind;
  /** What varies, or is set, by the kind of experiment: each writes it its own way. */
  rows: Partial<Record<Kind, Override[]>>;
  /** Numbers that are kept of each run, or made small or large. */
  measures: Measure[];
  /** Options of the command by their names; what is empty is left out. */
  options: Record<string, string>;
  /** The measure whose mean is to be known, and how well; empty: a fixed number. */
  untilMeasure: string;
  untilWidth: string;
  /** Path of the measured data, and which column is which signal. */
  data: string;
  match: Override[];
  /** What has a given value where a model stands still. */
  fix: Override[];
}

export const emptyDesign: Design = {
  kind: "sweep", rows: {}, measures: [], options: {}, untilMeasure: "",
  untilWidth: "1%", data: "", match: [], fix: [],
};

const blank: Override[] = [{ name: "", value: "" }];

/** Kinds that look at one model as it is, without varying anything. */
export function isAnalysis(kind: Kind): boolean {
  return kind === "steady" || kind === "linearize" || kind === "frequency";
}

export function rowsOf(design: Design): Override[] {
  return design.rows[design.kind] ?? blank;
}

/** The design as another kind: names stay, as what is written beside them does not. */
export function asKind(design: Design, kind: Kind): Design {
  if (design.rows[kind] || isAnalysis(kind)) return { ...design, kind };
  const names = rowsOf(design).filter((row) => row.name.trim());
  return {
    ...design, kind,
    rows: names.length === 0 ? design.rows
      : { ...design.rows, [kind]: names.map(({ name }) => ({ name, value: "" })) },
  };
}

/** The name that the number of a measure gets: that before `=`, else its text. */
export function nameOfMeasure(text: string): string {
  const named = /^\s*([A-Za-z_][\w.]*)\s*=(?!=)/.exec(text);
  return named?.[1] ?? text.trim();
}

/** A measure as the command takes it: no space around the sign behind its name. */
export function textOfMeasure(text: string): string {
  return text.trim().replace(/^([A-Za-z_][\w.]*)\s*=(?!=)\s*/, "$1=");
}

function measuresOf(design: Design): Measure[] {
  return design.measures.filter((m) => m.text.trim());
}

/** Options that mean something else in each kind. */
const of_one_kind = ["design", "runs", "method", "starts"];

/** Under which key a design keeps an option. */
export function optionKey(kind: Kind, name: string): string {
  return of_one_kind.includes(name) ? `${kind}.${name}` : name;
}

export function optionIn(design: Design, name: string): string {
  return design.options[optionKey(design.kind, name)] ?? "";
}

/** How many runs a sweep makes; null if its end is not known before. */
export function runsOf(design: Design): number | null {
  const asked = Number(optionIn(design, "runs")) || 1000;
  if (design.kind === "montecarlo") {
    return design.untilMeasure ? null : asked;
  }
  if (design.kind !== "sweep") return null;
  const way = optionIn(design, "design");
  return ["", "grid", "list"].includes(way) ? countVariants(rowsOf(design), asked) : asked;
}

function obstacleOfRows(design: Design): string {
  const rows = rowsOf(design);
  const incomplete = rows.find((v) => Boolean(v.name.trim()) !== Boolean(v.value.trim()));
  if (incomplete) return `complete the line of ${incomplete.name || incomplete.value}`;
  if (isAnalysis(design.kind)) return "";
  return rows.some((v) => v.name.trim()) ? ""
    : "name a parameter and what it varies over";
}

/** What keeps a design from being started; empty if nothing does. */
export function obstacle(design: Design): string {
  const { kind } = design;
  if (kind === "calibrate" && !design.data) return "choose the measured data";
  if (kind === "calibrate" && !design.match.some((m) => m.name && m.value)) {
    return "say which signal a column measures";
  }
  const rows = obstacleOfRows(design);
  if (rows) return rows;
  const measures = measuresOf(design);
  if (kind === "optimize" && measures.length === 0) {
    return "say what is to be small or large";
  }
  if (kind === "sensitivity" && measures.length === 0) {
    return "name a measure whose causes are sought";
  }
  if (kind === "montecarlo" && design.untilMeasure
      && !measures.some((m) => nameOfMeasure(m.text) === design.untilMeasure)) {
    return "choose the measure whose mean is to be known";
  }
  return "";
}

/** Options that each kind has; the form shows them in this order. */
export const optionsOf: Record<Kind, string[]> = {
  sweep: ["design", "runs", "stop", "seed", "jobs"],
  montecarlo: ["design", "runs", "stop", "seed", "jobs"],
  calibrate: ["sigma", "starts", "confidence", "log", "profile", "stop", "jobs"],
  optimize: ["method", "subject-to", "max-evaluations", "starts", "stop", "jobs"],
  sensitivity: ["method", "samples", "stop", "seed", "jobs"],
  steady: ["free", "moving", "time"],
  linearize: ["at", "inputs", "outputs"],
  frequency: ["at", "inputs", "outputs", "frequencies"],
};

function pairs(rows: Override[]): string[] {
  return rows.filter((r) => r.name.trim() && r.value.trim())
    .map((r) => `${r.name.trim()}=${r.value.trim()}`);
}

function optionsIn(design: Design): Record<string, string | string[]> {
  const options: Record<string, string | string[]> = {};
  for (const name of optionsOf[design.kind]) {
    const value = optionIn(design, name).trim();
    if (value) options[name] = value;
  }
  if (design.kind === "montecarlo" && design.untilMeasure) {
    options["until-known"] = `${design.untilMeasure}=${design.untilWidth || "1%"}`;
  }
  const fixed = pairs(design.fix);
  if (isAnalysis(design.kind) && fixed.length > 0) options["fix"] = fixed;
  return options;
}

/** The request that starts it. */
export function requestOf(design: Design, file: string, name: string): RunRequest {
  const { kind } = design;
  const rows = rowsOf(design);
  const command = kind === "montecarlo" ? "sweep" : kind;
  const request: RunRequest = { command, file, set: {}, options: optionsIn(design) };
  if (name) request.class = name;
  if (isAnalysis(kind)) {
    request.set = Object.fromEntries(rows.filter((r) => r.name.trim() && r.value.trim())
      .map((r): [string, string] => [r.name.trim(), r.value.trim()]));
    return request;
  }
  if (command === "sweep") {
    Object.assign(request, splitVaried(rows));
  } else {
    request.vary = pairs(rows);
  }
  const measures = measuresOf(design);
  const of = (goal: Measure["goal"]) => measures.filter((m) => m.goal === goal)
    .map((m) => textOfMeasure(m.text));
  if (kind === "optimize") {
    request.minimize = of("minimize");
    request.maximize = of("maximize");
  } else if (kind === "calibrate") {
    request.data = [design.data];
    request.match = pairs(design.match);
  } else if (measures.length > 0) {
    request.keep = measures.map((m) => textOfMeasure(m.text));
  }
  return request;
}
