// The bars of a plan's timeline: what a run made of its activities, what is wrong
// with them, and what never ran.
import type { Diagnostic, Span } from "../api/types";
import { readDuration } from "./duration";
import { activityAt } from "./plan_text";
import type { Activity } from "./plan_text";

export interface Bar {
  key: string;
  /** The activity of the plan, or "" for what the model began itself. */
  directive: string;
  label: string;
  type: string;
  begin: number;
  end: number;
  /** Parts of it. */
  inner: [number, number][];
  /** What is wrong with it, in words; empty for nothing. */
  problem: string;
  /** It comes from the text alone: no run has told how long it takes. */
  guessed: boolean;
}

/** A problem of a plan, with its activity if it is about one. */
export interface Problem {
  directive: string;
  severity: string;
  text: string;
  line: number;
}

/** Problems out of the messages about a plan. */
export function problemsOf(
  notices: Diagnostic[], text: string, activities: Activity[],
): Problem[] {
  return notices.map(({ severity, message, hint, line, column }) => ({
    severity, text: hint ? `${message}; ${hint}` : message, line: line ?? 0,
    directive: line ? activityAt(text, activities, line, column ?? 1)?.id ?? "" : "",
  }));
}

/** How long a bar of an activity is whose end nobody knows, in seconds. */
const guessed_length = 600;

/** Activities that a run has begun: spans without a parent, with their parts. */
export function barsOfSpans(spans: Span[], end: number): Bar[] {
  const closed = (span: Span): [number, number] => [span.begin, span.end ?? end];
  const parts = new Map<number, [number, number][]>();
  for (const span of spans) {
    if (span.parent === null) continue;
    const inner = parts.get(span.parent) ?? [];
    inner.push(closed(span));
    parts.set(span.parent, inner);
  }
  return spans.filter((span) => span.parent === null && span.attributes["directive"])
    .map((span) => {
      const directive = String(span.attributes["directive"]);
      const [begin, stop] = closed(span);
      return {
        key: directive, directive, label: directive, type: span.name, begin, end: stop,
        inner: parts.get(span.span) ?? [], guessed: false,
        problem: span.state === "failed" ? "failed" : "",
      };
    });
}

function barOfText(activity: Activity, otherwise: number): Bar {
  const begin = readDuration(activity.fields.get("start")?.value ?? "") ?? otherwise;
  return {
    key: activity.id, directive: activity.id, label: activity.id, type: activity.type,
    begin, end: begin + guessed_length, inner: [], problem: "", guessed: true,
  };
}

/** Activities of a plan that never ran: those that have a start of their own. */
export function barsOfText(activities: Activity[]): Bar[] {
  return activities.filter((a) => readDuration(a.fields.get("start")?.value ?? "") !== undefined)
    .map((activity) => barOfText(activity, 0));
}

/**
 * Bars with what is wrong with them. An activity with a problem that has no bar gets
 * one, in the order of the plan: at its start, else at the end of the run.
 */
export function barsWithProblems(
  bars: Bar[], problems: Problem[], activities: Activity[], end: number,
): Bar[] {
  const told = new Map<string, string>();
  for (const { directive, text } of problems) {
    if (!directive) continue;
    told.set(directive, told.has(directive) ? `${told.get(directive)}; ${text}` : text);
  }
  const missing = activities.filter((a) =>
    told.has(a.id) && !bars.some((bar) => bar.directive === a.id));
  return [...bars, ...missing.map((activity) => barOfText(activity, end))].map((bar) => {
    const text = told.get(bar.directive);
    return text ? { ...bar, problem: bar.problem ? `${bar.problem}: ${text}` : text } : bar;
  });
}
