// Runs of the page: started as the command would start them, followed by the
// stream of news, with the rows that have come so far.
import { ApiError, getJson, sendJson } from "../api/client";
import { onNews } from "../api/events";
import type { Diagnostic, RowsNews, RunNews, RunRequest, RunState } from "../api/types";
import { saveAll } from "../state/documents";
import { focus } from "../state/focus";
import { layout } from "../state/layout";
import { notify, notifyError } from "../state/notices";
import { askForTrust } from "../state/trust";
import { createStore } from "../state/store";
import { settings } from "./settings";
import { splitVaried } from "./variants";
import { showRun, watchedSignals } from "../plot/plots";

export interface Run {
  id: number;
  argv: string[];
  model: string;
  state: RunState;
  phase: string;
  t: number;
  stop: number;
  message: string;
  experiment: number | null;
  diagnostics: Diagnostic[];
  log: string;
}

interface RunsState {
  list: Run[];
  /** The run that the bar shows. */
  current: number | null;
}

export const runs = createStore<RunsState>({ list: [], current: null });

/** Rows that have come of the runs that go on; outside of the store, for they grow. */
export interface LiveRows {
  time: number[];
  columns: Record<string, number[]>;
}
const live_rows = new Map<number, LiveRows>();
const row_listeners = new Set<(id: number) => void>();

export function rowsOf(id: number): LiveRows | undefined {
  return live_rows.get(id);
}

export function onRows(listener: (id: number) => void): () => void {
  row_listeners.add(listener);
  return () => row_listeners.delete(listener);
}

export function isGoing(run: Run | undefined): boolean {
  return run !== undefined
    && ["waiting", "running", "paused"].includes(run.state);
}

export function currentRun(value: RunsState): Run | undefined {
  return value.list.find((run) => run.id === value.current);
}

function change(id: number, part: (run: Run) => Partial<Run>): void {
  runs.update((value) => ({
    ...value,
    list: value.list.map((run) => (run.id === id ? { ...run, ...part(run) } : run)),
  }));
}

function unknownRun(id: number): Run {
  return {
    id, argv: [], model: "", state: "waiting", phase: "", t: 0, stop: 0,
    message: "", experiment: null, diagnostics: [], log: "",
  };
}

/** Starts what `request` says; the changed documents are saved before. */
export async function start(request: RunRequest): Promise<number | null> {
  if (!(await saveAll())) return null;
  try {
    const { id, argv } = await sendJson<{ id: number; argv: string[] }>(
      "POST", "/api/runs", request);
    runs.update((value) => {
      const known = value.list.find((run) => run.id === id) ?? unknownRun(id);
      return {
        list: [...value.list.filter((run) => run.id !== id),
          { ...known, argv, model: request.class ?? request.file }],
        current: id,
      };
    });
    return id;
  } catch (reason) {
    if (reason instanceof ApiError && reason.code === "trust") askForTrust(request);
    else notifyError(`start ${request.command}`, reason);
    return null;
  }
}

/**
 * Runs the model in focus with the settings of the run bar: once, or as a sweep if
 * a setting stands for several values.
 */
export async function startRun(): Promise<void> {
  const { path, class: name } = focus.get();
  if (!path) {
    notify("info", "Open a model first",
      "Pick a file in the sidebar at the left.");
    return;
  }
  const { stop, solver, tolerance, overrides } = settings.get();
  const options: Record<string, string> = {};
  if (stop) options["stop"] = stop;
  if (solver && solver !== "auto") options["solver"] = solver;
  if (tolerance) options["tolerance"] = tolerance;
  const { vary, set } = splitVaried(overrides);
  const request: RunRequest = { command: "run", file: path, set, options };
  if (name) request.class = name;
  if (vary.length > 0) {
    const id = await start({ ...request, command: "sweep", vary });
    if (id !== null) layout.set({ activity: "experiments", sidebar: true });
    return;
  }
  const model = name || path;
  const id = await start({ ...request, watch: watchedSignals(model) });
  if (id !== null) showRun(id, set);
}

export async function stopRun(): Promise<void> {
  const run = currentRun(runs.get());
  if (!run || !isGoing(run)) return;
  await sendJson("DELETE", `/api/runs/${run.id}`, undefined)
    .catch((reason: unknown) => notifyError("stop the run", reason));
}

/** Pauses, resumes or changes the current run. */
export async function tellRun(what: Record<string, unknown>): Promise<void> {
  const run = currentRun(runs.get());
  if (!run) return;
  await sendJson("POST", `/api/runs/${run.id}/do`, what)
    .catch((reason: unknown) => notifyError(`${String(what["do"])} the run`, reason));
}

function takeRows({ id, from, time, columns }: RowsNews): void {
  const known = live_rows.get(id) ?? { time: [], columns: {} };
  live_rows.set(id, known);
  known.time.length = Math.min(known.time.length, from);
  known.time.push(...time);
  for (const [name, values] of Object.entries(columns)) {
    const column = (known.columns[name] ??= []);
    // A signal that is watched since now has no values for the rows before.
    while (column.length < from) column.push(NaN);
    column.length = from;
    column.push(...values);
  }
  for (const listener of row_listeners) listener(id);
}

function takeNews(news: RunNews): void {
  if (!runs.get().list.some((run) => run.id === news.id)) {
    runs.update((value) => ({
      ...value, list: [...value.list, unknownRun(news.id)],
    }));
  }
  change(news.id, (run) => ({
    state: news.state,
    phase: news.phase ?? run.phase,
    // The last word on the time may come before the end.
    t: news.state === "completed" ? news.stop ?? run.stop : news.t ?? run.t,
    stop: news.stop ?? run.stop,
    message: news.message ?? run.message,
    experiment: news.experiment ?? run.experiment,
    diagnostics: news.diagnostic ? [...run.diagnostics, news.diagnostic]
      : run.diagnostics,
  }));
  if (news.state === "failed" || news.state === "interrupted") {
    layout.set({ drawer: true });
    void loadLog(news.id);
  }
}

/** Fetches what the run wrote to its standard output and error. */
export async function loadLog(id: number): Promise<void> {
  const { log } = await getJson<{ log: string }>(`/api/runs/${id}`)
    .catch(() => ({ log: "" }));
  change(id, () => ({ log }));
}

/** Learns of the runs that an earlier page has started. */
async function loadRuns(): Promise<void> {
  const { items } = await getJson<{ items: (RunNews & { argv: string[] })[] }>(
    "/api/runs").catch(() => ({ items: [] }));
  const list = [...items].reverse().map((item): Run => {
    const known = runs.get().list.find((run) => run.id === item.id) ?? unknownRun(item.id);
    return { ...known, ...item, experiment: item.experiment ?? known.experiment };
  });
  runs.update((value) => ({ list, current: value.current ?? items[0]?.id ?? null }));
}

/** Follows the news of runs; to be called once. */
export function followRuns(): void {
  onNews("run", takeNews);
  onNews("rows", takeRows);
  onNews("resync", () => void loadRuns());
  void loadRuns();
}
