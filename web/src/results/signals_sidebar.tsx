// The sidebar of results: which runs are shown, and the signals of the last one.
import { useCallback, useEffect, useMemo, useState } from "react";
import type { KeyboardEvent } from "react";
import { runs } from "../runs/live";
import { onRows } from "../runs/live_rows";
import { plots, signal_data, toggleSignal } from "../plot/plots";
import { short } from "../plot/values";
import { openTab } from "../state/layout";
import { useStore } from "../state/store";
import { Empty } from "../ui/controls";
import { Icon } from "../ui/icon";
import { VirtualList } from "../ui/virtual_list";
import { loadSignals, signalRows, signals, treeKey } from "./signals";
import type { SignalRow } from "./signals";
import { RunsList } from "./runs_list";

function Row({ row, ticked, focused, onToggle, onOpen }: {
  row: SignalRow; ticked: boolean; focused: boolean; onToggle: () => void;
  onOpen: () => void;
}) {
  const { signal } = row;
  const inside = signal.children > 0;
  return (
    <div className="tree-row signal" role="treeitem" aria-level={row.depth + 1}
      data-focused={focused} aria-selected={ticked} aria-expanded={inside ? row.open : undefined}
      style={{ paddingLeft: 8 + row.depth * 14 }} draggable={!inside} title={signal.name}
      onDragStart={(event) => event.dataTransfer.setData(signal_data, signal.name)}
      onClick={inside ? onOpen : onToggle}>
      <span className="twisty" data-open={row.open}>
        {inside && <Icon name="chevron" size={12} />}
      </span>
      {!inside && <input type="checkbox" checked={ticked} readOnly tabIndex={-1}
        aria-label={`Plot ${signal.name}`} />}
      <span className="tree-name">{row.name}</span>
      {inside ? <span className="soft">{signal.children}</span> : (
        <>
          <span className="soft">{signal.unit}</span>
          <span className="number">{short(signal.last)}</span>
        </>
      )}
    </div>
  );
}

function Signals() {
  const source = useStore(plots, (p) => p.sources[p.sources.length - 1]);
  const ended = useStore(runs, (r) => r.list.map((run) => run.state).join());
  const state = useStore(signals, (s) => s);
  const shown = useStore(plots, (p) =>
    p.tiles.find((t) => t.id === p.focused)?.signals ?? []);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [live, setLive] = useState(0);
  useEffect(() => onRows(() => setLive((n) => n + 1)), []);
  const key = treeKey(source);
  useEffect(() => {
    const wait = setTimeout(() => {
      if (signals.get().query !== query) setAt(0);
      signals.set({ query, windows: {}, of: "" });
      if (source) void loadSignals(source, "").catch(() => undefined);
    }, 60);
    return () => clearTimeout(wait);
  }, [source, key, ended, query]);
  useEffect(() => {
    if (source && key.startsWith("live")) void loadSignals(source, "");
  }, [source, key, live]);
  const rows = useMemo(() => signalRows(state), [state]);
  const isLoading = state.query !== query || !state.windows[""];
  const [isChosen, setChosen] = useState(false);
  const open = (row: SignalRow) => {
    signals.update((value) => ({
      ...value, open: { ...value.open, [row.signal.name]: !row.open },
    }));
    if (source && !row.open && !state.windows[row.signal.name]) {
      void loadSignals(source, row.signal.name).catch(() => undefined);
    }
  };
  const toggle = (row: SignalRow) => {
    toggleSignal(row.signal.name);
    openTab({ kind: "plots" });
  };
  const choose = (row: SignalRow | undefined) => {
    if (row) (row.signal.children > 0 ? open : toggle)(row);
  };
  // A choice made while the list was read holds for it then.
  useEffect(() => {
    if (!isChosen || isLoading) return;
    setChosen(false);
    choose(rows[at]);
  });
  const press = (event: KeyboardEvent) => {
    // In the search field these two move the caret.
    const moves = ["ArrowLeft", "ArrowRight"].includes(event.key);
    if (moves && event.target instanceof HTMLInputElement) return;
    const row = rows[at];
    const inside = row && row.signal.children > 0;
    if (event.key === "ArrowDown") setAt(Math.min(rows.length - 1, at + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (event.key === "ArrowRight" && inside && !row.open) open(row);
    else if (event.key === "ArrowLeft" && inside && row.open) open(row);
    else if (event.key === "Enter" && isLoading) setChosen(true);
    else if (event.key === "Enter") choose(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onWindow = useCallback((_: number, to: number) => {
    const root = signals.get().windows[""];
    if (source && root && root.items.length < root.total && to >= rows.length - 20) {
      void loadSignals(source, "").catch(() => undefined);
    }
  }, [source, rows.length]);
  if (!source) {
    return (
      <Empty icon="results" title="No run is shown yet">
        <p>Press <kbd>F5</kbd> to run a model, or pick a stored run above.</p>
      </Empty>
    );
  }
  return (
    <>
      <div className="search" onKeyDown={press}>
        <Icon name="search" size={14} />
        <input type="search" value={query} placeholder="Signals, as *.tau"
          aria-label="Search the signals" onChange={(e) => setQuery(e.target.value)} />
      </div>
      <div className="tree" onKeyDown={press}>
        <VirtualList count={rows.length} rowHeight={24} label="Signals" role="tree"
          focus={at} onWindow={onWindow}
          row={(i) => {
            const row = rows[i];
            if (!row) return null;
            return <Row row={row} ticked={shown.includes(row.signal.name)}
              focused={i === at}
              onOpen={() => {
                setAt(i);
                open(row);
              }}
              onToggle={() => {
                setAt(i);
                toggle(row);
              }} />;
          }} />
      </div>
      {rows.length === 0 && !isLoading && <p className="tree-note">No signal fits.</p>}
    </>
  );
}

export function SignalsSidebar() {
  return (
    <div className="signals">
      <RunsList />
      <Signals />
    </div>
  );
}
