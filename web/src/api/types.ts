// Shapes of what the server says. docs/reference/studio_http.md is their contract.

export interface Library {
  name: string;
  version: string;
  path: string;
  readonly: boolean;
}

export interface Session {
  version: string;
  folder: string;
  trusted: boolean;
  stores: string[];
  libraries: Library[];
  seq: number;
}

/** A class in the library tree or in the hits of a search. */
export interface ClassItem {
  name: string;
  kind: string;
  text: string;
  children: number;
  partial: boolean;
}

export interface FileItem {
  /** Below the folder of the studio. */
  path: string;
  kind: "folder" | "file";
}

export interface Diagnostic {
  severity: string;
  message: string;
  file?: string;
  line?: number;
  column?: number;
  hint?: string;
}

export interface RunRequest {
  command: string;
  file: string;
  class?: string;
  set?: Record<string, string>;
  options?: Record<string, string | string[]>;
  vary?: string[];
  keep?: string[];
  watch?: string[];
  minimize?: string[];
  maximize?: string[];
  data?: string[];
  match?: string[];
}

export type RunState =
  | "waiting"
  | "running"
  | "paused"
  | "completed"
  | "failed"
  | "stopped"
  | "interrupted";

/** What the stream tells of a run that goes on. */
export interface RunNews {
  id: number;
  state: RunState;
  phase?: string;
  t?: number;
  stop?: number;
  steps?: number;
  message?: string;
  experiment?: number;
  diagnostic?: Diagnostic;
}

/** Rows of a running simulation: columns start at row `from`. */
export interface RowsNews {
  id: number;
  from: number;
  time: number[];
  columns: Record<string, number[]>;
}

export interface Counts {
  asked: number;
  completed: number;
  failed: number;
}

export interface Experiment {
  id: number;
  created: string;
  type: string;
  model: string;
  status: string;
  message: string;
  runs: Counts;
  tags: string[];
  notes?: string;
  document?: Record<string, unknown>;
  results?: Record<string, unknown> | null;
}

export interface Signal {
  name: string;
  unit: string;
  kind: string;
  text?: string;
  last: number | null;
  children: number;
}

export interface Column {
  name: string;
  unit: string;
  varied: boolean;
}

export interface RunRow {
  /** Counted from 0; people count from 1. */
  run: number;
  status: string;
  values: (number | null)[];
  /** Why it failed. */
  message?: string;
}

export interface RunTable {
  total: number;
  columns: Column[];
  rows: RunRow[];
}

export interface EventItem {
  time: number;
  kind: string;
  text: string;
  component: string;
}

export interface Window<T> {
  total: number;
  items: T[];
}

/** A task or an activity as a run had it. */
export interface Span {
  span: number;
  parent: number | null;
  name: string;
  begin: number;
  end: number | null;
  state: string;
  attributes: Record<string, unknown>;
}
