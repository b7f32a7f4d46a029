// A tab with the diagram of a class: its head, and the sheet.
import { ReactFlowProvider } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import "../style/diagram.css";
import { useEffect, useMemo, useState } from "react";
import { openTab, replaceTab } from "../state/layout";
import { focusOn } from "../state/focus";
import { outlines } from "../state/classes";
import { useStore } from "../state/store";
import { Button, Empty, IconButton } from "../ui/controls";
import type { Placed, Scene } from "../language/protocol";
import { notifyError } from "../state/notices";
import { FollowBar } from "../editor/follow_bar";
import { documents } from "../state/documents";
import { edit, isEditable } from "./gestures";
import { sceneKey, scenes, watchScene } from "./scenes";
import { Sheet } from "./sheet";

interface DiagramPaneProps {
  path: string;
  name: string;
  group: number;
  index: number;
}

/** The classes around this one, and those beside it, to step to. */
function Breadcrumb({ path, name, group, index }: DiagramPaneProps) {
  const classes = useStore(outlines, (o) => o.of[path]);
  const go = (to: string) => {
    focusOn(path, to);
    replaceTab(group, index, { kind: "diagram", path, class: to });
  };
  const names = useMemo(() => {
    const all = (classes ?? []).map((c) => c.name);
    return all.includes(name) ? all : [name, ...all];
  }, [classes, name]);
  const above = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : "";
  return (
    <>
      <IconButton icon="up" label={above ? `Go up to ${above}` : "This is the outermost class"}
        disabled={!names.includes(above)} onClick={() => go(above)} />
      <select className="class-choice" value={name} title={name} aria-label="Class that is drawn"
        onChange={(event) => go(event.target.value)}>
        {names.map((other) => (
          <option key={other} value={other}>{other.slice(other.lastIndexOf(".") + 1)}</option>
        ))}
      </select>
    </>
  );
}

/** The scene with places for parts that have none. */
function placed(scene: Scene, places: Map<string, Placed>): Scene {
  if (places.size === 0) return scene;
  return {
    ...scene,
    components: scene.components.map((part) => {
      const at = part.at ?? places.get(part.name);
      return at ? { ...part, at } : part;
    }),
  };
}

export default function DiagramPane(props: DiagramPaneProps) {
  const { path, name } = props;
  const [grid, setGrid] = useState(true);
  const [fitted, setFitted] = useState(0);
  const known = useStore(scenes, (s) => s.of[sceneKey(path, name)]);
  useEffect(() => watchScene(path, name), [path, name]);
  const editable = useStore(documents, () => isEditable(path));
  const written = known?.scene;
  const [places, setPlaces] = useState(new Map<string, Placed>());
  const unplaced = written?.components.filter((p) => !p.at).map((p) => p.name).join() ?? "";
  useEffect(() => {
    let left = false;
    setPlaces(new Map());
    if (!written || !unplaced) return undefined;
    import("./auto_layout").then(({ proposePlaces }) => proposePlaces(written))
      .then((found) => {
        if (!left) setPlaces(found);
      })
      .catch((reason: unknown) => notifyError("propose places", reason));
    return () => {
      left = true;
    };
    // Places are proposed anew when other parts lack one.
  }, [unplaced, path, name]);
  const scene = useMemo(() => (written ? placed(written, places) : null), [written, places]);
  const keep = () => {
    if (!written) return;
    void import("./auto_layout").then(({ keepingEdits }) =>
      edit(path, name, keepingEdits(written, places), "place parts"));
  };
  return (
    <div className="diagram-pane">
      <header className="diagram-head">
        <Breadcrumb {...props} />
        <span className="grow" />
        {!editable && <span className="badge">read only</span>}
        <IconButton icon="book" label="Documentation"
          onClick={() => openTab({ kind: "documentation", class: name })} />
        <IconButton icon="grid" label="Grid" pressed={grid} onClick={() => setGrid(!grid)} />
        <IconButton icon="fit" label="Fit into view" keys="Ctrl+0"
          onClick={() => setFitted(fitted + 1)} />
      </header>
      <FollowBar path={path} />
      {known?.stale && (
        <div className="bar bad" role="status">
          <span>{scene ? "The text cannot be read; this is the last good diagram."
            : known.problem}</span>
          <Button onClick={() => openTab({ kind: "text", path })}>Show the text</Button>
        </div>
      )}
      {places.size > 0 && editable && (
        <div className="bar info">
          <span>{places.size} {places.size === 1 ? "component has" : "components have"} no
            place yet; these are proposed.</span>
          <Button onClick={keep}>Keep them</Button>
        </div>
      )}
      {scene ? (
        <ReactFlowProvider>
          <Sheet path={path} name={name} scene={scene} stale={known?.stale ?? false} grid={grid}
            fitted={fitted} />
        </ReactFlowProvider>
      ) : !known?.stale && <p className="loading">Drawing…</p>}
      {scene && scene.components.length === 0 && scene.graphics.length === 0 && (
        <div className="sheet-hint">
          <Empty icon="model" title="This class has no components yet">
            <p>Drag a class from the library onto the sheet, or press <kbd>A</kbd> and
              search for one. Equations are written in the text.</p>
          </Empty>
        </div>
      )}
    </div>
  );
}
