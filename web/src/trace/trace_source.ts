// Where a trace comes from: windows of one that is stored with its run, or a file
// that is read as a whole.
import { ask, getJson, withQuery } from "../api/client";
import { matches } from "../results/signals";
import { microstepsOf, readTrace, stepOf } from "./microsteps";
import type { Link, Microstep, TraceRow } from "./microsteps";

/** What of a trace fits a filter, as a whole. */
export interface TraceView {
  /** Microsteps that fit. */
  total: number;
  /** The time of the last microstep of the run. */
  end: number;
  /** The run went on when the trace had ended. */
  isCut: boolean;
  /** Paths of the models that fit. */
  models: string[];
  /** How many microsteps there are in each part of the time. */
  density: number[];
}

/** The state of a model: its fields, with the time since which it has it. */
export interface ModelState {
  time: number;
  fields: [string, string][];
}

export interface TraceSource {
  view(filter: string): Promise<TraceView>;
  steps(filter: string, from: number, count: number): Promise<Microstep[]>;
  /** The place of the first microstep at or after a time. */
  placeOf(filter: string, time: number): Promise<number>;
  /** The state of a model before a microstep; null if it is not known. */
  stateBefore(filter: string, place: number, model: string): Promise<ModelState | null>;
}

/** Parts of the strip that shows the density. */
const strip_parts = 240;

interface StoredWindow {
  total: number;
  first: number;
  end: number;
  is_cut: boolean;
  models: string[];
  links: [string, string, string][];
  items: { at: number; time: number; number: number; rows: string[][] }[];
  density?: number[];
}

function linksOf(window: StoredWindow): Link[] {
  return window.links.map(([from, port, to]) => ({ from, port, to }));
}

/** The trace that was kept with an experiment. */
export function storedTrace(experiment: number): TraceSource {
  const path = `/api/experiments/${experiment}/0/trace`;
  const places = new Map<string, number>();
  const ofPlace = (filter: string, place: number) => `${place} ${filter}`;
  return {
    async view(filter) {
      const found = await getJson<StoredWindow>(path, { filter, limit: 0, px: strip_parts });
      return {
        total: found.total, end: found.end, isCut: found.is_cut, models: found.models,
        density: found.density ?? [],
      };
    },
    async steps(filter, from, count) {
      const found = await getJson<StoredWindow>(path, { filter, offset: from, limit: count });
      const links = linksOf(found);
      return found.items.map((item, i) => {
        places.set(ofPlace(filter, from + i), item.at);
        return stepOf(item.rows.map(([model = "", event = "", name = "", value = ""]): TraceRow =>
          ({ time: item.time, model, event, name, value })), item.number, links);
      });
    },
    async placeOf(filter, time) {
      return (await getJson<StoredWindow>(path, { filter, from: time, limit: 0 })).first;
    },
    stateBefore(filter, place, model) {
      return getJson<ModelState | null>(`${path}/state`,
        { model, at: places.get(ofPlace(filter, place)) });
    },
  };
}

/** The trace in a file of the folder. */
export function fileTrace(file: string): TraceSource {
  const all = ask(withQuery("/api/file", { path: file })).then((answer) => answer.text())
    .then(readTrace);
  const found = new Map<string, Microstep[]>();
  const fitting = async (filter: string) => {
    const known = found.get(filter);
    if (known) return known;
    const rows = (await all).filter((r) => r.event !== "start");
    const steps = microstepsOf(rows).filter((step) => !filter
      || step.transitions.some((t) => matches(t.model, filter))
      || step.messages.some((m) => matches(m.from, filter)));
    found.set(filter, steps);
    return steps;
  };
  return {
    async view(filter) {
      const steps = await fitting(filter);
      const end = (await all).at(-1)?.time ?? 0;
      const density = new Array<number>(strip_parts).fill(0);
      for (const { time } of steps) {
        const part = Math.min(strip_parts - 1, Math.floor((time / (end || 1)) * strip_parts));
        density[part] = (density[part] ?? 0) + 1;
      }
      const models = [...new Set((await all).map((r) => r.model))]
        .filter((model) => matches(model, filter));
      return { total: steps.length, end, isCut: false, models, density };
    },
    async steps(filter, from, count) {
      return (await fitting(filter)).slice(from, from + count);
    },
    async placeOf(filter, time) {
      const place = (await fitting(filter)).findIndex((step) => step.time >= time);
      return place < 0 ? (await fitting(filter)).length : place;
    },
    async stateBefore(filter, place, model) {
      const steps = await fitting("");
      const shown = (await fitting(filter))[place];
      const at = shown ? steps.indexOf(shown) : -1;
      for (let i = at - 1; i >= 0; --i) {
        const state = steps[i]?.transitions.find((t) => t.model === model);
        if (state) {
          const fields = state.state.split(", ").filter(Boolean).map((text): [string, string] => {
            const [name = "", ...value] = text.split("=");
            return [name, value.join("=")];
          });
          return { time: steps[i]?.time ?? 0, fields };
        }
      }
      return null;
    },
  };
}
