// The stream of news from the server. Browsers allow six connections to an
// origin, so one tab holds the stream, by a lock, and passes what it hears on to
// the others. When that tab is closed the next one takes over, after the last
// piece of news that it has heard itself.
import type { RowsNews, RunNews } from "./types";

export interface News {
  hello: { seq: number };
  lsp: unknown;
  run: RunNews;
  rows: RowsNews;
  table: { id: number; ended: number; failed: number; best?: number | null };
  store: { id: number };
  file: { path: string; what: string };
  /** Who edits a file now, and who did and has not said all yet. */
  writer: { path: string; page: string; leaving: string };
  /** The unsaved text of a file has changed, or is gone. */
  draft: { path: string };
  child: { what: string; signal?: string };
  resync: Record<string, never>;
  /** Told by the page itself: whether the stream stands, or why it does not. */
  link: { up: boolean; stranger?: boolean };
}

type Kind = keyof News;
type Listener<K extends Kind> = (news: News[K]) => void;

const kinds: Kind[] = [
  "hello", "lsp", "run", "rows", "table", "store", "file", "writer", "draft",
  "child", "resync",
];
const listeners = new Map<Kind, Set<(news: never) => void>>();
let last_id = "";

/** Calls `listener` for each piece of news of a kind, until it is undone. */
export function onNews<K extends Kind>(
  kind: K, listener: Listener<K>,
): () => void {
  const known = listeners.get(kind) ?? new Set();
  listeners.set(kind, known);
  known.add(listener as (news: never) => void);
  return () => known.delete(listener as (news: never) => void);
}

/** Calls `listener` with each experiment that has changed; null: any may have. */
export function onStored(listener: (id: number | null) => void): () => void {
  const undo = [onNews("store", ({ id }) => listener(id)),
    onNews("resync", () => listener(null))];
  return () => undo.forEach((end) => end());
}

function tell(kind: Kind, news: unknown, id: string) {
  if (id) last_id = id;
  for (const listener of listeners.get(kind) ?? []) listener(news as never);
}

interface Passed {
  kind: Kind;
  news: unknown;
  id: string;
}

/** Starts to listen; to be called once. */
export function openStream(): void {
  const channel = new BroadcastChannel("orrery.news");
  channel.onmessage = (message: MessageEvent<Passed>) =>
    tell(message.data.kind, message.data.news, message.data.id);
  const spread: Spread = (kind, news, id) => {
    tell(kind, news, id);
    channel.postMessage({ kind, news, id } satisfies Passed);
  };
  // The lock is held as long as the page lives: listening never ends.
  void navigator.locks.request("orrery.stream", () =>
    listen(spread));
}

type Spread = (kind: Kind, news: unknown, id: string) => void;

/** Beats come each two seconds: a stream that is silent for longer is dead. */
const longest_silence_ms = 8000;
const pause_ms = 1000;

async function listen(spread: Spread): Promise<never> {
  for (;;) {
    let stranger = false;
    try {
      stranger = await readStream(spread);
    } catch {
      // The studio ended, or the machine slept; the next try tells.
    }
    spread("link", { up: false, stranger }, "");
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
}

/**
 * Reads the stream until it ends; true if the studio does not know this browser.
 * EventSource could not say where to go on.
 */
async function readStream(spread: Spread): Promise<boolean> {
  const stop = new AbortController();
  let watchdog = setTimeout(() => stop.abort(), longest_silence_ms);
  const answer = await fetch("/api/events", {
    headers: { "X-Orrery": "1", ...(last_id ? { "Last-Event-ID": last_id } : {}) },
    signal: stop.signal,
  });
  if (answer.status === 401) {
    clearTimeout(watchdog);
    return true;
  }
  if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
  spread("link", { up: true }, "");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    clearTimeout(watchdog);
    if (done) return false;
    watchdog = setTimeout(() => stop.abort(), longest_silence_ms);
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) readPiece(part, spread);
  }
}

/** One piece of the stream: lines "id: 7", "event: run", "data: {...}". */
function readPiece(text: string, spread: Spread): void {
  let id = "";
  let kind = "";
  let data = "";
  for (const line of text.split("\n")) {
    const colon = line.indexOf(": ");
    const word = line.slice(0, colon);
    const value = line.slice(colon + 2);
    if (word === "id") id = value;
    else if (word === "event") kind = value;
    else if (word === "data") data += value;
  }
  const known = kinds.find((k) => k === kind);
  if (known && data) spread(known, JSON.parse(data), id);
}
