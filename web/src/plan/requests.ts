// Plans that are carried out by a command that stays: each from the latest snapshot
// before the first change, in a fraction of a second.
import { sendJson } from "../api/client";
import type { Diagnostic, Span } from "../api/types";

/** How a plan was carried out: see PlanReport in the reference of the routes. */
export interface PlanAnswer {
  status: "completed" | "failed" | "interrupted" | "refused";
  message: string;
  start?: number;
  end?: number;
  resumed_at?: number | null;
  run_ms?: number;
  notices: Diagnostic[];
  unbegun?: { directive: string; text: string }[];
  spans?: Span[];
  rows?: { columns: { name: string; unit: string }[]; values: (number | null)[][] };
}

/** What of a run is shown: a part of time on so many pixels. */
export interface Shown {
  from: number;
  to: number;
  px: number;
}

/** Carries out the text of a plan by a model; the part that is shown comes back. */
export function carryOut(
  model: string, path: string, text: string, shown: Shown | null,
): Promise<PlanAnswer> {
  return sendJson<PlanAnswer>("POST", "/api/plan", {
    run: { command: "run", file: model },
    plan: { name: path, text, ...shown },
  });
}

/** Another part of the run that came last. */
export function showPart(model: string, shown: Shown): Promise<PlanAnswer> {
  return sendJson<PlanAnswer>("POST", "/api/plan", {
    run: { command: "run", file: model }, plan: shown,
  });
}
