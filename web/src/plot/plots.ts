// Which curves are shown: tiles of signals, and the runs of which they are drawn.
import { createStore, recall, remember } from "../state/store";
import { closeTab, layout, openTab } from "../state/layout";

/** The type of data that a dragged signal carries. */
export const signal_data = "application/x-orrery-signal";

/** A run of which curves are drawn: one that goes on, or a stored one. */
export interface Source {
  key: string;
  /** The run of this page, if it was started here. */
  live: number | null;
  experiment: number | null;
  run: number;
  model: string;
  /** What was set for it, by which the legend tells runs apart. */
  set: Record<string, string>;
}

export interface Tile {
  id: number;
  signals: string[];
  /** The signal of the x axis; time if null. */
  x: string | null;
  log: boolean;
}

interface PlotsState {
  /** The model whose signals the tiles show. */
  model: string;
  tiles: Tile[];
  focused: number;
  sources: Source[];
  /** The part of time that all tiles show; all if null. */
  window: [number, number] | null;
  cursors: { a: number | null; b: number | null };
  linked: boolean;
  /** Whether the next run is laid over those that are shown. */
  overlay: boolean;
}

const first_tile: Tile = { id: 1, signals: [], x: null, log: false };

const kept = recall("plots", {
  model: "", tiles: [first_tile], linked: true, overlay: true,
});

export const plots = createStore<PlotsState>({
  model: kept.model,
  tiles: kept.tiles, focused: kept.tiles[0]?.id ?? 1, sources: [], window: null,
  cursors: { a: null, b: null }, linked: kept.linked, overlay: kept.overlay,
});
plots.subscribe(() => {
  const { model, tiles, linked, overlay } = plots.get();
  remember("plots", { model, tiles, linked, overlay });
});

const most_sources = 20;

/** Lays a run over those that are shown: of its own model, or `ofAll`. */
function addSource(source: Source, ofAll = false): void {
  plots.update((value) => ({
    ...value,
    window: null,
    sources: [...(value.overlay ? value.sources : []).filter((s) =>
      s.key !== source.key && (ofAll || s.model === source.model)), source]
      .slice(-most_sources),
  }));
}

/** Brings the plots into sight: in this group, unless they are shown already. */
function openPlots(group: number): void {
  layout.get().groups.forEach((known, g) => {
    const at = known.tabs.findIndex((tab) => tab.kind === "plots");
    if (at >= 0 && at !== known.active && g !== group) closeTab(g, at);
  });
  openTab({ kind: "plots" }, group);
}

/** Beside the text. */
function lastGroup(): number {
  const { groups } = layout.get();
  return groups.length > 1 ? groups.length - 1 : 1;
}

/** Beside what is in use. */
function otherGroup(): number {
  const { focusedGroup } = layout.get();
  return focusedGroup === 0 ? 1 : focusedGroup - 1;
}

/**
 * The signals that a run of a model tells while it goes on: those that the tiles
 * show, or some of all for a model that was not shown before.
 */
export function watchedSignals(model: string): string[] {
  const { tiles, model: shown } = plots.get();
  const names = tiles.flatMap((t) => (t.x === null ? t.signals : [...t.signals, t.x]));
  return model === shown && names.length > 0 ? [...new Set(names)] : ["*"];
}

/** Shows these signals, in one tile, of a model that was not shown before. */
export function showFirst(model: string, names: string[]): void {
  plots.update((value) => ({
    ...value, model,
    tiles: [{ ...first_tile, signals: names }], focused: first_tile.id,
  }));
}

/** A run of this page, by its number, its model, and what was set for it. */
interface Started {
  id: number;
  model: string;
  set: Record<string, string>;
}

function addRun({ id, model, set }: Started): void {
  addSource({ key: `live${id}`, live: id, experiment: null, run: 0, model, set });
}

/** Draws a run that was just started. */
export function showRun(run: Started): void {
  addRun(run);
  openPlots(lastGroup());
}

/** The same beside the table that it was chosen from. */
export function showRunBeside(run: Started): void {
  addRun(run);
  openPlots(otherGroup());
}

/**
 * Draws a stored single run, the first and only one of experiment `id`: over others
 * of its model, or `ofAll` that are shown.
 */
export function showStored({ id, model, set }: Started, ofAll = false): void {
  addSource({ key: `${id}.0`, live: null, experiment: id, run: 0, model, set }, ofAll);
  openPlots(lastGroup());
}

/** Adds to what was set for a run that goes on. */
export function noteSetting(live: number, name: string, value: string): void {
  plots.update((state) => ({
    ...state,
    sources: state.sources.map((s) => (s.live !== live ? s : {
      ...s,
      set: { ...s.set, [name]: s.set[name] ? `${s.set[name]}, ${value}` : value },
    })),
  }));
}

/** Draws what is stored of a run that has ended; nothing if nothing is. */
export function settleSource(live: number, experiment: number | null): void {
  plots.update((value) => ({
    ...value,
    sources: value.sources.flatMap((s) => (s.live !== live ? [s]
      : experiment === null ? [] : [{ ...s, key: `${experiment}.${s.run}`, live: null, experiment }])),
  }));
}

export function removeSource(key: string): void {
  plots.update((value) => ({
    ...value, sources: value.sources.filter((s) => s.key !== key),
  }));
}

export function changeTile(id: number, part: Partial<Tile>): void {
  plots.update((value) => ({
    ...value,
    tiles: value.tiles.map((t) => (t.id === id ? { ...t, ...part } : t)),
  }));
}

export function addTile(signals: string[] = []): void {
  plots.update((value) => {
    const id = Math.max(0, ...value.tiles.map((t) => t.id)) + 1;
    return {
      ...value, focused: id, tiles: [...value.tiles, { id, signals, x: null, log: false }],
    };
  });
}

export function removeTile(id: number): void {
  plots.update((value) => {
    const tiles = value.tiles.filter((t) => t.id !== id);
    return { ...value, tiles: tiles.length > 0 ? tiles : [{ ...first_tile }] };
  });
}

/** Adds a signal to the tile in use, or takes it out of it. */
export function toggleSignal(name: string): void {
  plots.update((value) => ({
    ...value,
    tiles: value.tiles.map((t) => {
      if (t.id !== value.focused) return t;
      const has = t.signals.includes(name);
      return {
        ...t,
        signals: has ? t.signals.filter((s) => s !== name) : [...t.signals, name],
      };
    }),
  }));
}

/** What of the settings is not the same for all sources, as "k=4". */
export function differences(sources: Source[]): Map<string, string> {
  const names = new Set(sources.flatMap((s) => Object.keys(s.set)));
  // Alone, a run is told by all that was set for it.
  const differing = [...names].filter((name) => sources.length === 1
    || new Set(sources.map((s) => s.set[name] ?? "")).size > 1);
  return new Map(sources.map((s, i): [string, string] => {
    const words = differing.map((name) =>
      s.set[name] === undefined ? `${name} as in the model` : `${name}=${s.set[name]}`);
    return [s.key, words.join(", ") || `run ${i + 1}`];
  }));
}
