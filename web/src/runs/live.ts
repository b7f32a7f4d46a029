// Runs of the page: started as the command would start them, followed by the
// stream of news.
import { ApiError, getJson, sendJson } from "../api/client";
import { onNews } from "../api/events";
import type { Diagnostic, RunNews, RunRequest, RunState } from "../api/types";
import { saveAll } from "../state/documents";
import { focus } from "../state/focus";
import { layout, openTab } from "../state/layout";
import { notify, notifyError } from "../state/notices";
import { askForTrust } from "../state/trust";
import { createStore } from "../state/store";
import { forgetRows, takeRows } from "./live_rows";
import { settings } from "./settings";
import { splitVaried } from "./variants";
import { noteSetting, settleSource, showRun, watchedSignals } from "../plot/plots";
import { short } from "../plot/values";

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
  /** The file whose form of experiments has started it; empty if none has. */
  form: string;
}

interface RunsState {
  list: Run[];
  /** The run that the bar shows. */
  current: number | null;
}

export const runs = createStore<RunsState>({ list: [], current: null });

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
    message: "", experiment: null, diagnostics: [], log: "", form: "",
  };
}

/** Starts what `request` says; the changed documents are saved before. */
export async function start(request: RunRequest, form = ""): Promise<number | null> {
  if (!(await saveAll())) return null;
  try {
    const { id, argv } = await sendJson<{ id: number; argv: string[] }>(
      "POST", "/api/runs", request);
    runs.update((value) => {
      const known = value.list.find((run) => run.id === id) ?? unknownRun(id);
      return {
        list: [...value.list.filter((run) => run.id !== id),
          { ...known, argv, form, model: request.class ?? request.file }],
        current: id,
      };
    });
    return id;
  } catch (reason) {
    if (reason instanceof ApiError && reason.code === "trust") askForTrust(request.file);
    else notifyError(`start ${request.command}`, reason);
    return null;
  }
}

/** Calls `then` with the experiment that a run is stored as, once that is known. */
function onceStored(id: number, then: (experiment: number) => void): void {
  const look = () => {
    const run = runs.get().list.find((r) => r.id === id);
    const experiment = run?.experiment ?? null;
    if (experiment === null && isGoing(run)) return;
    undo();
    if (experiment !== null) then(experiment);
  };
  const undo = runs.subscribe(look);
  look();
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
    if (id === null) return;
    layout.set({ activity: "experiments", sidebar: true });
    onceStored(id, (experiment) => openTab({ kind: "experiment", id: experiment },
      Math.max(1, layout.get().groups.length - 1)));
    return;
  }
  const model = name || path;
  const id = await start({ ...request, watch: watchedSignals(model) });
  if (id !== null) showRun({ id, model, set });
}

/** Stops the run `id`; without one, that of the bar. */
export async function stopRun(id?: number): Promise<void> {
  const { list, current } = runs.get();
  const run = list.find((r) => r.id === (id ?? current));
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

/** Changes a value of the current run, which goes on with it. */
export async function setNow(name: string, value: string): Promise<void> {
  const run = currentRun(runs.get());
  if (!run) return;
  if (!value.trim() || !Number.isFinite(Number(value))) {
    notify("bad", `cannot set ${name} to '${value}' while the run goes on: give a number`);
    return;
  }
  try {
    await sendJson("POST", `/api/runs/${run.id}/do`,
      { do: "set", set: { [name]: Number(value) } });
    noteSetting(run.id, name, `${value.trim()} from t = ${short(run.t)} s on`);
  } catch (reason) {
    notifyError(`set ${name}`, reason);
  }
}

/** The time that a run has come to: the last word on it may come before the end. */
function timeOf(news: RunNews, run: Run): number {
  return news.state === "completed" ? news.stop ?? run.stop : news.t ?? run.t;
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
    t: timeOf(news, run),
    stop: news.stop ?? run.stop,
    message: news.message ?? run.message,
    experiment: news.experiment ?? run.experiment,
    diagnostics: news.diagnostic ? [...run.diagnostics, news.diagnostic]
      : run.diagnostics,
  }));
  if (news.diagnostic?.severity === "warning" && isGoing(runs.get().list
    .find((run) => run.id === news.id))) {
    notify("bad", news.diagnostic.message);
  }
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

/** Whether two are one run: each studio counts its runs from 1. */
function isSame(a: Run, b: { id: number; argv: string[] }): boolean {
  const words = a.argv.join("\n");
  return a.id === b.id && (words === "" || words === b.argv.join("\n"));
}

/**
 * Learns of the runs that this studio has carried out. Those of a studio before it
 * have ended; what they have stored stays in the plots.
 */
async function loadRuns(): Promise<void> {
  const { items } = await getJson<{ items: (RunNews & { argv: string[] })[] }>(
    "/api/runs");
  const before = runs.get();
  const list = [...items].reverse().map((item): Run => {
    const known = before.list.find((run) => isSame(run, item)) ?? unknownRun(item.id);
    return {
      ...known, ...item, t: timeOf(item, known),
      experiment: item.experiment ?? known.experiment,
    };
  });
  for (const run of before.list) {
    if (list.some((other) => isSame(run, other))) continue;
    forgetRows(run.id);
    settleSource(run.id, run.experiment);
    if (isGoing(run)) notify("bad", "The run has ended with the studio that it was started in");
  }
  const current = list.find((run) => run.id === before.current) ?? list[list.length - 1];
  runs.set({ list, current: current?.id ?? null });
}

/** Follows the news of runs; to be called once. */
export function followRuns(): void {
  onNews("run", takeNews);
  onNews("rows", takeRows);
  const load = () => void loadRuns().catch((reason: unknown) =>
    notifyError("list the runs", reason));
  onNews("resync", load);
  load();
}
