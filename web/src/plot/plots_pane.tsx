// The plots: tiles of curves, their bar and the legend of runs.
import { useEffect, useState } from "react";
import type { DragEvent } from "react";
import { theme } from "../app/theme";
import { runs, currentRun } from "../runs/live";
import { onRows } from "../runs/live_rows";
import { useStore } from "../state/store";
import { Button, Empty, IconButton } from "../ui/controls";
import { useSize } from "../ui/use_size";
import { chooseFirst, useCurves } from "./curve_data";
import type { Curve } from "./curve_data";
import { seriesColor, strokeOf } from "./colors";
import { tellValues } from "./cursor_values";
import { saveCsv, saveSvg } from "./export";
import { PhasePlot } from "./phase_plot";
import {
  addTile, changeTile, differences, plots, removeSource, removeTile, signal_data,
} from "./plots";
import type { Tile } from "./plots";
import { TimePlot } from "./time_plot";
import { short, valueAt } from "./values";

function LegendRow({ curve, count, label, a, b }: {
  curve: Curve; count: number; label: string | undefined; a: number | null;
  b: number | null;
}) {
  const { color, dash } = strokeOf(curve, count);
  const at = (time: number | null) => (time === null ? null
    : valueAt(curve.x, curve.y, time));
  const va = at(a);
  const vb = at(b);
  return (
    <tr>
      <td><svg width="22" height="8" aria-hidden="true">
        <line x1="0" y1="4" x2="22" y2="4" stroke={color} strokeWidth="2"
          strokeDasharray={dash.join(" ")} />
      </svg></td>
      <td className="legend-name">{curve.signal}
        {count > 1 && <span className="soft"> {label}</span>}</td>
      <td className="soft">{curve.unit}</td>
      {a !== null && <td className="number">{short(va)}</td>}
      {b !== null && <td className="number">{short(vb)}</td>}
      {a !== null && b !== null && (
        <td className="number">{va !== null && vb !== null ? short(vb - va) : "–"}</td>
      )}
    </tr>
  );
}

function Legend({ curves, count }: { curves: Curve[]; count: number }) {
  const { a, b } = useStore(plots, (p) => p.cursors);
  if (curves.length === 0) return null;
  const labels = differences(plots.get().sources);
  return (
    <div className="legend">
      <table>
        {a !== null && (
          <thead><tr><th /><th>time</th><th className="soft">s</th>
            <th className="number">A {short(a)}</th>
            {b !== null && <th className="number">B {short(b)}</th>}
            {b !== null && <th className="number">B − A {short(b - a)}</th>}</tr></thead>
        )}
        <tbody>{curves.map((curve) => (
          <LegendRow key={curve.key} curve={curve} count={count}
            label={labels.get(curve.source.key)} a={a} b={b} />
        ))}</tbody>
      </table>
    </div>
  );
}

function TileHead({ tile, curves }: { tile: Tile; curves: Curve[] }) {
  const title = tile.signals.join(", ") || "no signals";
  return (
    <header className="tile-head">
      <span className="tile-title" title={title}>{title}
        {tile.x !== null && <span className="soft"> over {tile.x}</span>}</span>
      {tile.x !== null && (
        <Button onClick={() => changeTile(tile.id, { x: null })}>over time</Button>
      )}
      <button type="button" className="toggle" aria-pressed={tile.log}
        title="Values by powers of ten; those that are not positive are left out"
        onClick={() => changeTile(tile.id, { log: !tile.log })}>log</button>
      <button type="button" className="toggle" onClick={() => saveCsv(curves)}>csv</button>
      <button type="button" className="toggle" onClick={() => saveSvg(curves, title, tile.log)}>svg</button>
      <IconButton icon="close" label="Close this plot" onClick={() => removeTile(tile.id)} />
    </header>
  );
}

function TileView({ tile }: { tile: Tile }) {
  const [host, width, height] = useSize();
  const state = useStore(plots, (p) => ({
    sources: p.sources, window: p.window, cursors: p.cursors, focused: p.focused,
    linked: p.linked,
  }));
  const [own, setOwn] = useState<[number, number] | null>(null);
  const window = state.linked ? state.window : own;
  const curves = useCurves({
    sources: state.sources, signals: tile.signals, x: tile.x, window,
    px: Math.max(100, width) * devicePixelRatio,
  });
  const a = state.cursors.a;
  useEffect(() => {
    if (a === null || tile.x !== null) return;
    tellValues(new Map(curves.filter((c) => c.sourceIndex === state.sources.length - 1)
      .map((c): [string, string] => [c.signal, short(valueAt(c.x, c.y, a))])));
  }, [curves, a, tile.x, state.sources.length]);
  const drop = (event: DragEvent) => {
    const signal = event.dataTransfer.getData(signal_data);
    if (!signal || !host.current) return;
    event.preventDefault();
    const box = host.current.getBoundingClientRect();
    // The lower edge takes the signal of the x axis.
    if (event.clientY > box.bottom - 32) changeTile(tile.id, { x: signal });
    else if (!tile.signals.includes(signal)) {
      changeTile(tile.id, { signals: [...tile.signals, signal] });
    }
  };
  const count = state.sources.length;
  return (
    <section className="tile" data-focused={state.focused === tile.id}
      aria-label={`Plot of ${tile.signals.join(", ")}`}
      onPointerDownCapture={() => plots.set({ focused: tile.id })}
      onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <TileHead tile={tile} curves={curves} />
      <div className="tile-plot" ref={host}>
        {tile.signals.length === 0 || count === 0
          ? <Empty icon="results" title={count === 0 ? "No run is shown yet"
              : "No signal is shown here yet"}>
              <p>{count === 0 ? "Press F5, or pick a stored run in Results."
                : "Tick signals in Results, or drag them here."}</p>
            </Empty>
          : width > 0 && height > 0 && (tile.x === null
            ? <TimePlot curves={curves} sources={count} width={width} height={height}
                log={tile.log} window={window} cursors={state.cursors}
                onWindow={(range) => (state.linked ? plots.set({ window: range })
                  : setOwn(range))} />
            : <PhasePlot curves={curves} sources={count} width={width} height={height}
                log={tile.log} />)}
      </div>
      <Legend curves={curves} count={count} />
    </section>
  );
}

function Sources() {
  const sources = useStore(plots, (p) => p.sources);
  const labels = differences(sources);
  return (
    <span className="sources">
      {sources.map((source, i) => (
        <span key={source.key} className="chip">
          {sources.length > 1 && (
            <span className="swatch" style={{ background: seriesColor(i) }} />
          )}
          {labels.get(source.key)}
          <IconButton icon="close" label={`Hide ${labels.get(source.key)}`}
            onClick={() => removeSource(source.key)} />
        </span>
      ))}
    </span>
  );
}

/** Chooses signals when a run of a model comes that was not shown before. */
function useFirstSignals(): void {
  useEffect(() => {
    const look = () => {
      const run = currentRun(runs.get());
      const drawn = plots.get().sources.some((s) => s.live === run?.id);
      if (run && drawn) void chooseFirst(run).catch(() => undefined);
    };
    look();
    const undo = [onRows(look), runs.subscribe(look)];
    return () => undo.forEach((end) => end());
  }, []);
}

export default function PlotsPane() {
  // Legends and swatches have the colours of the theme, as curves do.
  useStore(theme, (t) => t.dark);
  useFirstSignals();
  const tiles = useStore(plots, (p) => p.tiles);
  const { linked, overlay, window, cursors } = useStore(plots, (p) => ({
    linked: p.linked, overlay: p.overlay, window: p.window, cursors: p.cursors,
  }));
  const failed = useStore(runs, (r) => {
    const run = currentRun(r);
    return run && ["failed", "interrupted"].includes(run.state) ? run.message : "";
  });
  return (
    <div className="plots-pane">
      <header className="plots-head">
        <Sources />
        <span className="grow" />
        {window && (
          <Button icon="fit" onClick={() => plots.set({ window: null })}>All of time</Button>
        )}
        {cursors.a !== null && (
          <Button onClick={() => plots.set({ cursors: { a: null, b: null } })}>
            No cursors</Button>
        )}
        <button type="button" className="toggle" aria-pressed={overlay}
          title="Lay the next run over those that are shown"
          onClick={() => plots.set({ overlay: !overlay })}>overlay</button>
        <button type="button" className="toggle" aria-pressed={linked}
          title="All plots show the same part of time"
          onClick={() => plots.set({ linked: !linked })}>link x</button>
        <IconButton icon="plus" label="Add a plot" onClick={() => addTile()} />
      </header>
      {failed && <div className="bar bad" role="alert"><span>{failed}</span></div>}
      <div className="tiles" data-count={tiles.length}>
        {tiles.map((tile) => <TileView key={tile.id} tile={tile} />)}
      </div>
    </div>
  );
}
