// Dialogs over the page: search of classes and files, all commands, all keys.
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { allFiles } from "../library/all_files";
import { searchClasses } from "../library/search";
import { useStore } from "../state/store";
import { commands, overlay } from "./commands";
import { NewModel } from "./new_model";
import { openClass, openFile } from "./open";

interface Choice {
  key: string;
  title: string;
  detail: string;
  run: () => void;
}

function close(): void {
  overlay.set({ shown: "" });
}

/** All letters of `query` in this order. */
function fits(text: string, query: string): boolean {
  let at = 0;
  const small = text.toLowerCase();
  for (const letter of query.toLowerCase()) {
    at = small.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

async function findClasses(query: string): Promise<Choice[]> {
  const [files, classes] = await Promise.all([
    allFiles(),
    query ? searchClasses(query, 30) : [],
  ]);
  const whole = query.toLowerCase();
  const choicesOf = (exact: boolean) => files
    .filter((f) => fits(f.path, query) && f.path.toLowerCase().includes(whole) === exact)
    .slice(0, 12).map((f): Choice => ({
      key: f.path, title: f.path, detail: "file", run: () => void openFile(f.path),
    }));
  return [
    ...choicesOf(true),
    ...classes.map((c): Choice => ({
      key: c.name, title: c.name, detail: c.text, run: () => void openClass(c.name),
    })),
    ...choicesOf(false),
  ];
}

function findCommands(query: string): Choice[] {
  return commands.filter((c) => fits(c.name, query)).map((c) => ({
    key: c.name, title: c.name, detail: shownKeys(c.keys), run: c.run,
  }));
}

function Palette({ kind }: { kind: "classes" | "commands" }) {
  const [query, setQuery] = useState("");
  const [choices, setChoices] = useState<Choice[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => {
    setAt(0);
    if (kind === "commands") {
      setChoices(findCommands(query));
      return undefined;
    }
    let left = false;
    findClasses(query.trim()).then((found) => {
      if (!left) setChoices(found);
    }).catch(() => undefined);
    return () => {
      left = true;
    };
  }, [kind, query]);
  const choose = (choice: Choice | undefined) => {
    close();
    choice?.run();
  };
  const press = (event: KeyboardEvent) => {
    const count = Math.max(1, choices.length);
    if (event.key === "ArrowDown") setAt((at + 1) % count);
    else if (event.key === "ArrowUp") setAt((at + count - 1) % count);
    else if (event.key === "Enter") choose(choices[at]);
    else return;
    event.preventDefault();
  };
  const placeholder = kind === "classes" ? "Name of a class or a file"
    : "Name of a command";
  return (
    <>
      <input autoFocus className="palette-field" value={query} role="combobox"
        aria-label={placeholder} aria-expanded="true" aria-controls="palette-list"
        aria-activedescendant={choices[at] ? `palette-${at}` : undefined}
        placeholder={placeholder} onKeyDown={press}
        onChange={(event) => setQuery(event.target.value)} />
      <ul className="palette-list" id="palette-list" role="listbox" aria-label="Found">
        {choices.map((choice, i) => (
          <li key={choice.key} id={`palette-${i}`} role="option" aria-selected={i === at}
            onMouseMove={() => setAt(i)} onClick={() => choose(choice)}>
            <span>{choice.title}</span><span className="soft">{choice.detail}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p className="tree-note">Nothing fits.</p>}
    </>
  );
}

const diagram_keys: [string, string][] = [
  ["A", "Add a component"], ["C", "Connect from the focused port"],
  ["R, Shift+R", "Rotate by 90 degrees, or back"],
  ["H, V", "Flip left to right, or top to bottom"],
  ["Arrows", "Move by the grid"], ["Tab", "Next component"],
  ["Delete", "Remove"], ["Ctrl+0", "Fit the diagram into view"],
];
const text_keys: [string, string][] = [
  ["Shift+F12", "Find references"], ["Ctrl+Space", "Complete"], ["Alt+Enter", "Apply the mend"],
  ["Ctrl+F", "Find in the text"],
];

/** Keys as their caps show them. */
function shownKeys(keys: string): string {
  return keys.replace("ArrowLeft", "←").replace("ArrowRight", "→");
}

function KeyList() {
  const section = (title: string, keys: [string, string][]) => (
    <section>
      <h2>{title}</h2>
      <dl>{keys.map(([key, text]) => (
        <div key={key}><dt><kbd>{shownKeys(key)}</kbd></dt><dd>{text}</dd></div>
      ))}</dl>
    </section>
  );
  return (
    <div className="key-list">
      {section("Everywhere", commands.filter((c) => c.keys)
        .map((c) => [c.keys, c.name]))}
      <div>
        {section("In the diagram", diagram_keys)}
        {section("In the text", text_keys)}
      </div>
    </div>
  );
}

export function Overlays() {
  const shown = useStore(overlay, (o) => o.shown);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (shown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [shown]);
  const label = shown === "keys" ? "Keys" : shown === "commands" ? "Commands"
    : shown === "new" ? "New model" : "Classes and files";
  return (
    <dialog ref={dialog} className={shown === "keys" ? "wide" : ""} aria-label={label}
      onClose={() => {
        // The news of a closed dialog may come after it was opened again.
        if (!dialog.current?.open) close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}>
      {shown === "keys" && <KeyList />}
      {shown === "new" && <NewModel onDone={close} />}
      {(shown === "classes" || shown === "commands") && <Palette kind={shown} />}
    </dialog>
  );
}
