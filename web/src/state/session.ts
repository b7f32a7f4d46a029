// Facts that the server told of itself, and whether it can be heard.
import { getJson } from "../api/client";
import { onNews } from "../api/events";
import type { Session } from "../api/types";
import { createStore } from "./store";

interface SessionState {
  session: Session | null;
  failure: string;
  up: boolean;
  /** The studio was started anew, and does not know this browser yet. */
  stranger: boolean;
}

export const session = createStore<SessionState>({
  session: null, failure: "", up: true, stranger: false,
});

export async function loadSession(): Promise<Session> {
  const known = await getJson<Session>("/api/session");
  session.set({ session: known, failure: "" });
  onNews("link", ({ up, stranger }) => session.set({ up, stranger: stranger ?? false }));
  onNews("resync", () => void getJson<Session>("/api/session")
    .then((now) => session.set({ session: now })).catch(() => undefined));
  return known;
}

/** The file: URI of a path in the folder. */
export function uriOf(path: string): string {
  const folder = session.get().session?.folder ?? "";
  const whole = path.startsWith("/") ? path : `${folder}/${path}`;
  return "file://" + whole.split("/").map(encodeURIComponent).join("/");
}

/** The path in the folder of a file: URI, or the absolute path outside of it. */
export function pathOf(uri: string): string {
  const whole = decodeURIComponent(uri.replace(/^file:\/\//, ""));
  const folder = `${session.get().session?.folder ?? ""}/`;
  return whole.startsWith(folder) ? whole.slice(folder.length) : whole;
}
