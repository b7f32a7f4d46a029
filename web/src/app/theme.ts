// Light or dark: as the system has it, or as the switch says.
import { createStore, recall, remember } from "../state/store";

export type Choice = "system" | "light" | "dark";

export const theme = createStore<{ choice: Choice; dark: boolean }>({
  choice: recall<{ choice: Choice }>("theme", { choice: "system" }).choice,
  dark: false,
});

const system = window.matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  const { choice } = theme.get();
  const dark = choice === "dark" || (choice === "system" && system.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  theme.set({ dark });
}

export function startTheme(): void {
  apply();
  system.addEventListener("change", apply);
}

export function switchTheme(): void {
  theme.set({ choice: theme.get().dark ? "light" : "dark" });
  remember("theme", { choice: theme.get().choice });
  apply();
}
