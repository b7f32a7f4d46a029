// Code of a folder runs only when its user trusts the folder.
import { sendJson } from "../api/client";
import type { Session } from "../api/types";
import { notify, notifyError } from "./notices";
import { session } from "./session";
import { createStore } from "./store";

/** The file whose code waits for trust; null if none does. */
export const trust = createStore<{ wanted: string | null }>({ wanted: null });

export function askForTrust(file: string): void {
  trust.set({ wanted: file });
}

/** Whether a run has ended because it needs code of a folder that is not trusted. */
export function isForTrust(message: string): boolean {
  return message.includes("orrery trust");
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
