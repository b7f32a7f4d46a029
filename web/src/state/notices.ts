// Short messages at the lower edge of the window.
import { createStore } from "./store";

export interface Notice {
  id: number;
  kind: "info" | "good" | "bad";
  text: string;
  hint?: string;
}

export const notices = createStore<{ list: Notice[] }>({ list: [] });

let next_id = 1;

/** Shows a message; errors stay until they are closed, others for six seconds. */
export function notify(kind: Notice["kind"], text: string, hint = ""): void {
  const id = next_id++;
  notices.update(({ list }) => ({
    // The same words twice say nothing new.
    list: [...list.filter((old) => old.text !== text), { id, kind, text, hint }]
      .slice(-4),
  }));
  if (kind !== "bad") setTimeout(() => dismiss(id), 6000);
}

export function dismiss(id: number): void {
  notices.update(({ list }) => ({ list: list.filter((n) => n.id !== id) }));
}

/** Shows why something failed. */
export function notifyError(doing: string, reason: unknown): void {
  const message = reason instanceof Error ? reason.message
    : typeof reason === "object" && reason && "message" in reason
      ? String(reason.message) : String(reason);
  const hint = reason instanceof Error && "hint" in reason
    ? String(reason.hint) : "";
  notify("bad", `cannot ${doing}: ${message}`, hint);
}
