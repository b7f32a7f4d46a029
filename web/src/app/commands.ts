// All that can be done, by name and by key.
import { exportFmu } from "../fmu/description";
import { sceneKey, scenes } from "../diagram/scenes";
import { saveDocument } from "../state/documents";
import { focus } from "../state/focus";
import { activeTab, activities, layout, openTab, splitTab } from "../state/layout";
import { startRun, stopRun } from "../runs/live";
import { createStore } from "../state/store";
import { redoIn, undoIn } from "../state/steps";
import { goBack, goForward } from "../state/trail";
import { goToDefinition, openClass, showDiagram } from "./open";
import { focusGroup, focusPane } from "./panes";
import { renameAtCaret } from "./rename";
import { switchTheme } from "./theme";

export interface Command {
  name: string;
  keys: string;
  /** Whether the key works while a text is typed, too. */
  everywhere: boolean;
  run: () => void;
}

/** Which dialog lies over the page. */
export const overlay = createStore<{ shown: "" | "classes" | "commands" | "keys" | "new" }>({
  shown: "",
});

/** The path of the document that the active tab shows. */
function currentPath(): string {
  const tab = activeTab(layout.get());
  return tab && "path" in tab ? tab.path : focus.get().path;
}

function toggle(part: "sidebar" | "inspector" | "drawer"): void {
  layout.update((value) => ({ ...value, [part]: !value[part] }));
}

function switchTextAndDiagram(): void {
  const tab = activeTab(layout.get());
  const { path, class: name } = focus.get();
  if (!path) return;
  if (tab?.kind === "diagram") openTab({ kind: "text", path });
  else if (name) showDiagram(path, name);
  focusGroup(layout.get().focusedGroup);
}

/** Goes to what declares the name at the caret, or the selected component's class. */
function showDefinition(): void {
  const tab = activeTab(layout.get());
  if (tab?.kind === "text") {
    void goToDefinition(tab.path);
  } else if (tab?.kind === "diagram") {
    const [name] = focus.get().parts;
    const scene = scenes.get().of[sceneKey(tab.path, tab.class)]?.scene;
    const part = scene?.components.find((p) => p.name === name);
    if (part) void openClass(part.type);
  }
}

/** Renames what is named at the caret, or the selected component. */
function rename(): void {
  const tab = activeTab(layout.get());
  if (tab?.kind === "text") void renameAtCaret(tab.path);
  else document.querySelector<HTMLInputElement>(".name-field")?.select();
}

export const commands: Command[] = [
  { name: "Run the model", keys: "F5", everywhere: true,
    run: () => void startRun() },
  { name: "Stop the run", keys: "Shift+F5", everywhere: true,
    run: () => void stopRun() },
  { name: "Save", keys: "Ctrl+S", everywhere: true,
    run: () => void saveDocument(currentPath()) },
  { name: "Open a class or a file", keys: "Ctrl+P", everywhere: true,
    run: () => overlay.set({ shown: "classes" }) },
  { name: "New model", keys: "Alt+N", everywhere: true,
    run: () => overlay.set({ shown: "new" }) },
  { name: "Show all commands", keys: "Ctrl+Shift+P", everywhere: true,
    run: () => overlay.set({ shown: "commands" }) },
  { name: "Undo", keys: "Ctrl+Z", everywhere: false, run: () => undoIn(currentPath()) },
  { name: "Redo", keys: "Ctrl+Y", everywhere: false, run: () => redoIn(currentPath()) },
  { name: "Go to the definition", keys: "F12", everywhere: true, run: showDefinition },
  { name: "Rename", keys: "F2", everywhere: true, run: rename },
  { name: "Go back to where a jump began", keys: "Alt+ArrowLeft", everywhere: true,
    run: goBack },
  { name: "Go forward again", keys: "Alt+ArrowRight", everywhere: true, run: goForward },
  { name: "Move the tab to a split", keys: "Ctrl+\\", everywhere: true,
    run: splitTab },
  { name: "Go to the next pane", keys: "F6", everywhere: true, run: () => focusPane(1) },
  { name: "Go to the pane before", keys: "Shift+F6", everywhere: true,
    run: () => focusPane(-1) },
  { name: "Switch between text and diagram", keys: "D", everywhere: false,
    run: switchTextAndDiagram },
  ...activities.map(({ id, label }): Command => ({
    name: `Show ${label} at the left`, keys: "", everywhere: false,
    run: () => layout.set({ activity: id, sidebar: true }),
  })),
  { name: "Plot results", keys: "", everywhere: false,
    run: () => openTab({ kind: "plots" }) },
  { name: "Design an experiment with this model", keys: "", everywhere: false,
    run: () => openTab({ kind: "design", path: focus.get().path }) },
  { name: "Show or hide the sidebar", keys: "Ctrl+B", everywhere: true,
    run: () => toggle("sidebar") },
  { name: "Show or hide the inspector", keys: "Ctrl+I", everywhere: true,
    run: () => toggle("inspector") },
  { name: "Show or hide the drawer", keys: "Ctrl+J", everywhere: true,
    run: () => toggle("drawer") },
  { name: "Export the model as an FMU", keys: "", everywhere: false,
    run: () => void exportFmu() },
  { name: "Switch between light and dark", keys: "", everywhere: false,
    run: switchTheme },
  { name: "List the keys", keys: "?", everywhere: false,
    run: () => overlay.set({ shown: "keys" }) },
];

/** The keys of an event in the form of the list: "Ctrl+Shift+P". */
export function keysOf(event: KeyboardEvent): string {
  const words = [];
  if (event.ctrlKey || event.metaKey) words.push("Ctrl");
  if (event.altKey) words.push("Alt");
  const letter = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // "?" needs Shift on many keyboards, so Shift says nothing there.
  if (event.shiftKey && letter !== "?") words.push("Shift");
  words.push(letter);
  return words.join("+");
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable
    || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

/** Carries out the command of a key, if there is one. */
export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const keys = keysOf(event);
  const typing = isTyping(event.target);
  const command = commands.find((c) => c.keys === keys
    && (c.everywhere || !typing));
  if (!command) return;
  event.preventDefault();
  command.run();
}
