// The library: files and classes in a tree, found by words.
import { useEffect, useMemo, useRef, useState } from "react";
import type { DragEvent, KeyboardEvent } from "react";
import type { ClassItem } from "../api/types";
import { overlay } from "../app/commands";
import { openClass, openFile } from "../app/open";
import { insertIntoDiagram } from "../diagram/gestures";
import { useStore } from "../state/store";
import { IconButton } from "../ui/controls";
import { Icon } from "../ui/icon";
import { VirtualList } from "../ui/virtual_list";
import { ClassIcon } from "./class_icon";
import { searchClasses } from "./search";
import { loadClasses, rowsOf, startTree, toggleRow, tree } from "./tree_state";
import type { Row } from "./tree_state";
import { isFavourite, toggleFavourite, usual } from "./usual_classes";

/** The type of data that a dragged class carries. */
export const class_data = "application/x-orrery-class";

let started = false;

function startDrag(event: DragEvent, name: string): void {
  event.dataTransfer.setData(class_data, name);
  event.dataTransfer.setData("text/plain", name);
  event.dataTransfer.effectAllowed = "copy";
}

function Star({ item }: { item: ClassItem }) {
  const on = useStore(usual, (value) => isFavourite(value, item.name));
  return (
    <button type="button" className="star" tabIndex={-1} aria-pressed={on}
      aria-label={`${lastWord(item.name)} is a favourite`}
      title={on ? "No longer a favourite (*)" : "Make it a favourite (*)"}
      onClick={(event) => {
        event.stopPropagation();
        toggleFavourite(item);
      }}>
      <Icon name="star" size={13} />
    </button>
  );
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The last two packages that a class is in, which tell classes of one name apart. */
function packageOf(name: string): string {
  return name.split(".").slice(0, -1).slice(-2).join(".");
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function activate(row: Row): void {
  if (row.kind === "file") {
    if (row.item.kind === "folder") toggleRow(row);
    else void openFile(row.item.path);
  } else if (row.kind === "class") {
    if (row.item.children > 0) toggleRow(row);
    else void openClass(row.item.name);
  } else if (row.kind === "more") {
    void loadClasses(row.under);
  }
}

interface RowViewProps {
  row: Row;
  focused: boolean;
  onFocus: () => void;
}

function RowView({ row, focused, onFocus }: RowViewProps) {
  if (row.kind === "head") {
    return <div className="tree-head" role="treeitem" aria-level={1}
      aria-selected={false} aria-expanded>{row.title}
      {row.id === "files" && <IconButton icon="plus" label="New model" keys="Alt+N"
        onClick={() => overlay.set({ shown: "new" })} />}</div>;
  }
  if (row.kind === "note") {
    return <div className="tree-note" role="treeitem" aria-level={2}
      aria-selected={false}>{row.text}</div>;
  }
  const indent = { paddingLeft: 8 + row.depth * 14 };
  if (row.kind === "more") {
    return (
      <button type="button" className="tree-row more" style={indent}
        role="treeitem" aria-level={row.depth + 2} aria-selected={false} tabIndex={-1}
        onClick={() => void loadClasses(row.under)}>
        {row.total - row.shown} more…
      </button>
    );
  }
  const branch = row.kind === "file" ? row.item.kind === "folder"
    : row.item.children > 0;
  const name = row.kind === "file" ? lastPart(row.item.path) : lastWord(row.item.name);
  return (
    <div className="tree-row" style={indent} role="treeitem" data-focused={focused}
      aria-level={row.depth + 2} aria-expanded={branch ? row.open : undefined}
      aria-selected={focused} draggable={row.kind === "class"}
      title={row.kind === "class" ? `${row.item.name}\n${row.item.text}` : row.item.path}
      onDragStart={(e) => row.kind === "class" && startDrag(e, row.item.name)}
      onClick={() => {
        onFocus();
        activate(row);
      }}
      onDoubleClick={() => row.kind === "class" && void openClass(row.item.name)}>
      <span className="twisty" data-open={row.open}>
        {branch && <Icon name="chevron" size={12} />}
      </span>
      {row.kind === "class" ? <ClassIcon item={row.item} />
        : <Icon name={row.item.kind === "folder" ? "folder" : "file"} size={14} />}
      <span className="tree-name">{name}</span>
      {row.kind === "class" && row.item.kind !== "package" && <Star item={row.item} />}
    </div>
  );
}

function Tree() {
  const state = useStore(tree, (t) => t);
  const classes = useStore(usual, (value) => value);
  const rows = useMemo(() => rowsOf(state, classes), [state, classes]);
  const [at, setAt] = useState(1);
  useEffect(() => {
    if (started) return;
    started = true;
    startTree();
  }, []);
  const step = (by: number) => {
    let next = at + by;
    while (rows[next] && (rows[next]?.kind === "head" || rows[next]?.kind === "note")) {
      next += by;
    }
    if (rows[next]) setAt(next);
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    const opens = row && (row.kind === "file" || row.kind === "class");
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "ArrowRight" && opens && !row.open) toggleRow(row);
    else if (event.key === "ArrowLeft" && opens && row.open) toggleRow(row);
    else if (event.key === "Enter" && row?.kind === "class") {
      void insertIntoDiagram(row.item.name);
    } else if (event.key === "Enter" && row) activate(row);
    else if (event.key === "*" && row?.kind === "class") toggleFavourite(row.item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="tree" onKeyDown={press}>
      <VirtualList count={rows.length} rowHeight={26} label="Files and classes"
        role="tree" focus={at} row={(i) => {
          const row = rows[i];
          return row ? <RowView row={row} focused={i === at} onFocus={() => setAt(i)} />
            : null;
        }} />
    </div>
  );
}

function Hits({ query }: { query: string }) {
  const [found, setFound] = useState<ClassItem[] | null>(null);
  useEffect(() => {
    let left = false;
    searchClasses(query, 60).then((items) => {
      if (!left) setFound(items);
    }).catch(() => undefined);
    return () => {
      left = true;
    };
  }, [query]);
  if (!found) return <p className="tree-note">Searching…</p>;
  if (found.length === 0) {
    return <p className="tree-note">Nothing has “{query}” in its name or description.</p>;
  }
  return (
    <ul className="hits" aria-label="Classes found">
      {found.map((item) => (
        <li key={item.name} className="hit-row">
          <button type="button" className="hit" draggable
            title={`${item.name}\nEnter inserts it into the diagram; a double click opens it`}
            onDragStart={(e) => startDrag(e, item.name)}
            onDoubleClick={() => void openClass(item.name)}
            onKeyDown={(e) => {
              if (e.key === "*") toggleFavourite(item);
              if (e.key !== "Enter") return;
              e.preventDefault();
              void insertIntoDiagram(item.name);
            }}>
            <ClassIcon item={item} size={26} />
            <span className="hit-text">
              <span className="hit-name">{lastWord(item.name)}
                <span className="soft"> {packageOf(item.name)}</span></span>
              <span className="hit-line">{item.text || item.name}</span>
            </span>
          </button>
          <Star item={item} />
        </li>
      ))}
    </ul>
  );
}

export function Library() {
  const [query, setQuery] = useState("");
  const [asked, setAsked] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const wait = setTimeout(() => setAsked(query.trim()), 80);
    return () => clearTimeout(wait);
  }, [query]);
  return (
    <div className="library">
      <div className="search">
        <Icon name="search" size={14} />
        <input ref={field} type="search" value={query} placeholder="Search the libraries"
          aria-label="Search the libraries"
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setQuery("");
          }} />
      </div>
      {asked ? <Hits query={asked} /> : <Tree />}
    </div>
  );
}
