// Which page edits a file: one at a time, of whatever browser. The studio knows;
// pages that follow a file may take it over.
import { ask, sendJson, withQuery } from "../api/client";
import { onNews } from "../api/events";
import type { News } from "../api/events";
import { uriOf } from "./session";
import { recall, remember } from "./store";

type Writer = News["writer"];

const patience_ms = 2000;

function browserId(): string {
  const known = recall("browser", { id: "" }).id;
  const id = known || crypto.randomUUID();
  if (!known) remember("browser", { id });
  return id;
}

const browser = browserId();

/** This page, of this browser. */
const page_id = `${browser}/${crypto.randomUUID()}`;

const lockOf = (page: string) => `orrery.page.${page}`;

/** Tells other pages of this browser that this one lives; to be called once. */
export function announcePage(): void {
  void navigator.locks.request(lockOf(page_id), () => new Promise(() => undefined));
}

/** Whether a page of this browser has ended without a word, as by a crash. */
async function isGone(page: string): Promise<boolean> {
  if (!page.startsWith(`${browser}/`)) return false;
  const { held } = await navigator.locks.query();
  return !held?.some(({ name }) => name === lockOf(page));
}

// Paths that this page edits. Locks tell other pages of this browser: these last
// when the studio is started anew and has forgotten it.
const held = new Map<string, () => void>();

const fileLockOf = (path: string) => `orrery.file.${uriOf(path)}`;

function hold(path: string): void {
  if (held.has(path)) return;
  const ended = new Promise<void>((resolve) => held.set(path, resolve));
  // Shared: a page that has not heard yet that it lost the file holds it as well.
  void navigator.locks.request(fileLockOf(path), { mode: "shared" }, () => ended);
}

/** This page edits a file no more. */
export function release(path: string): void {
  held.get(path)?.();
  held.delete(path);
}

async function isHeldByOther(path: string): Promise<boolean> {
  if (held.has(path)) return false;
  const locks = await navigator.locks.query();
  return !!locks.held?.some(({ name }) => name === fileLockOf(path));
}

/** Null if the studio does not answer: it refuses nobody then. */
async function request(path: string, take: boolean): Promise<Writer | null> {
  return sendJson<Writer>("POST", "/api/writer", { path, page: page_id, take })
    .catch(() => null);
}

export function isThisPage(page: string): boolean {
  return page === page_id;
}

/** Asks for a file; true if this page may edit it. */
export async function claim(path: string): Promise<boolean> {
  const writer = await request(path, false);
  if (writer && !isThisPage(writer.page)) {
    if (!(await isGone(writer.page))) return false;
    await seize(path);
  }
  hold(path);
  return true;
}

/**
 * Asks for a file that this page did not edit until now. A page of this browser that
 * does goes before, also while the studio, started anew, has not heard of it yet.
 */
export async function claimFirst(path: string): Promise<boolean> {
  return !(await isHeldByOther(path)) && claim(path);
}

/** Takes a file, whatever others have of it. */
export async function seize(path: string): Promise<void> {
  await request(path, true);
  await request(path, true);
}

/** Takes a file over, as soon as its page has said all that it knows. */
export async function takeFromOther(path: string): Promise<void> {
  let end = () => undefined as void;
  const left = new Promise<void>((resolve) => { end = resolve; });
  const undo = onNews("writer", (news) => {
    if (news.path === path && isThisPage(news.page) && !news.leaving) end();
  });
  const writer = await request(path, true);
  if (writer?.leaving && !(await isGone(writer.leaving))) {
    await Promise.race([left, new Promise((late) => setTimeout(late, patience_ms))]);
  }
  undo();
  if (writer?.leaving) await request(path, true);
  hold(path);
}

/** Gives a file up, also while the page ends. */
export function leaveFile(path: string): Promise<unknown> {
  release(path);
  return fetch(withQuery("/api/writer", { path, page: page_id }), {
    method: "DELETE", keepalive: true, headers: { "X-Orrery": "1" },
  }).catch(() => undefined);
}

/** Keeps an unsaved text; refused with 409 if another page edits the file now. */
export function keepDraft(path: string, text: string, etag: string): Promise<unknown> {
  return ask(withQuery("/api/draft", { path, page: page_id }), {
    method: "PUT", text, headers: { "If-Match": etag },
  });
}
