// Code of a folder runs only when its user trusts the folder.
import { sendJson } from "../api/client";
import type { RunRequest, Session } from "../api/types";
import { notify, notifyError } from "./notices";
import { session } from "./session";
import { createStore } from "./store";

/** What waits for trust; null if nothing does. */
export const trust = createStore<{ wanted: RunRequest | null }>({ wanted: null });

export function askForTrust(request: RunRequest): void {
  trust.set({ wanted: request });
}

export async function setTrust(trusted: boolean): Promise<void> {
  trust.set({ wanted: null });
  try {
    const known = await sendJson<Session>("PUT", "/api/trust", { trusted });
    session.set({ session: known });
    notify("good", trusted ? "This folder is trusted; run it again"
      : "This folder is not trusted");
  } catch (reason) {
    notifyError("trust this folder", reason);
  }
}
