// The sheet on which the parts of a class are moved, connected and chosen.
import {
  Background, BackgroundVariant, ReactFlow, ViewportPortal, applyNodeChanges,
  useReactFlow,
} from "@xyflow/react";
import type { Connection as FlowConnection, FitViewOptions, NodeChange } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { DragEvent } from "react";
import { showRanges } from "../editor/shown_range";
import type { Edit, Point, Scene } from "../language/protocol";
import { class_data } from "../library/library";
import { valuesAtCursor } from "../plot/cursor_values";
import { documents, viewOf } from "../state/documents";
import { focus } from "../state/focus";
import { useStore } from "../state/store";
import { openClass } from "../app/open";
import { BackgroundNode } from "./background_node";
import { connect, edit, insertAt, isEditable, routeBetween } from "./gestures";
import { watchDragOf } from "./inherited";
import { endOf, keyOfConnection } from "./layout";
import { LineLayer } from "./line_layer";
import type { DrawnLine } from "./line_layer";
import { fromSheet, scale, snap } from "./matrix";
import { PartNode } from "./part_node";
import { stretched } from "./routing";
import { PendingLine } from "./pending_line";
import { background_id, nodesOf } from "./sheet_nodes";
import type { SheetNode } from "./sheet_nodes";
import { useSheetKeys } from "./sheet_keys";
import { SheetOutline } from "./sheet_outline";

const nodeTypes = { part: PartNode, background: BackgroundNode };

interface SheetProps {
  path: string;
  name: string;
  scene: Scene;
  stale: boolean;
  grid: boolean;
  /** Counts the wishes to see all. */
  fitted: number;
}

/** How far the dragged parts are from where the scene has them. */
function shifts(nodes: SheetNode[], home: Map<string, Point>): Map<string, Point> {
  const moved = new Map<string, Point>();
  for (const { id, position } of nodes) {
    const [x, y] = home.get(id) ?? [position.x, position.y];
    if (position.x === x && position.y === y) continue;
    moved.set(id, fromSheet([position.x - x, position.y - y]));
  }
  return moved;
}

/** The lines as they are while parts are dragged; unmoved ones stay the same. */
function linesOf(scene: Scene, moved: Map<string, Point>, still: DrawnLine[]): DrawnLine[] {
  if (moved.size === 0) return still;
  return scene.connections.map((connection, i) => {
    const start = moved.get(endOf(connection.from).part);
    const end = moved.get(endOf(connection.to).part);
    const line = still[i];
    if (line && !start && !end) return line;
    return {
      connection,
      points: stretched(line?.points ?? [], start ?? [0, 0], end ?? [0, 0]),
    };
  });
}

/** How nodes are fitted into view: all of the sheet if there are none. */
function fitting(shown: SheetNode[]): FitViewOptions<SheetNode> {
  return {
    padding: 0.08, maxZoom: 3,
    ...(shown.length > 0 ? { nodes: shown.map(({ id }) => ({ id })) } : {}),
  };
}

function showInText(path: string, scene: Scene): void {
  const view = viewOf(path);
  if (!view) return;
  const { parts, lines } = focus.get();
  const spans = [
    ...scene.components.filter((p) => parts.includes(p.name)),
    ...scene.connections.filter((c) => lines.includes(keyOfConnection(c))),
  ].flatMap(({ span, inherited }) => (span && !inherited
    ? [{ from: span[0], to: span[1] }] : []));
  showRanges(view, spans, true);
}

export function Sheet({ path, name, scene, stale, grid, fitted }: SheetProps) {
  const flow = useReactFlow<SheetNode>();
  const nodes_shown = useRef<SheetNode[]>([]);
  const fit = useCallback((duration: number) => {
    void flow.fitView({ ...fitting(nodes_shown.current), duration });
  }, [flow]);
  const host = useRef<HTMLDivElement>(null);
  const selection = useStore(focus, (f) => ({ parts: f.parts, lines: f.lines }));
  const values = useStore(valuesAtCursor, (v) => v.of);
  const editable = useStore(documents, () => isEditable(path)) && !stale;
  const keys = useSheetKeys({ path, name, scene, editable, host, fit });
  const { chosen } = keys;
  const base = useMemo(() => nodesOf(scene, selection.parts, editable, chosen, values),
    [scene, selection.parts, editable, chosen, values]);
  const home = useMemo(() => new Map(base.map((node): [string, Point] =>
    [node.id, [node.position.x, node.position.y]])), [base]);
  const [nodes, setNodes] = useState(base);
  useEffect(() => setNodes(base), [base]);

  const still = useMemo(() => scene.connections.map((connection): DrawnLine =>
    ({ connection, points: connection.points.length > 1 ? connection.points
      : routeBetween(scene, connection.from, connection.to) })), [scene]);
  const moved = useMemo(() => shifts(nodes, home), [nodes, home]);
  const lines = useMemo(() => linesOf(scene, moved, still), [scene, moved, still]);

  // A sheet without graphics of its own shows its parts as large as they fit.
  nodes_shown.current = scene.graphics.length > 0 ? nodes
    : nodes.filter(({ id }) => id !== background_id);
  const isMoved = useRef(false);
  useEffect(() => {
    isMoved.current = false;
    if (fitted > 0) fit(150);
  }, [fitted, fit]);
  // A pane of another size shows all again, until the user has chosen a part.
  useEffect(() => {
    if (!host.current) return undefined;
    const observer = new ResizeObserver(() => {
      if (!isMoved.current) fit(0);
    });
    observer.observe(host.current);
    return () => observer.disconnect();
  }, [fit]);

  const onNodesChange = useCallback((changes: NodeChange<SheetNode>[]) => {
    setNodes((old) => applyNodeChanges(changes, old));
    const picks = changes.filter((c) => c.type === "select");
    if (picks.length === 0) return;
    const parts = new Set(focus.get().parts);
    for (const pick of picks) {
      if (pick.selected) parts.add(pick.id);
      else parts.delete(pick.id);
    }
    parts.delete(background_id);
    focus.set({ parts: [...parts], ...(parts.size > 0 ? {} : { lines: [] }) });
    showInText(path, scene);
  }, [path, scene]);

  const onDragStop = useCallback(() => {
    const dragged = [...moved.keys()].filter((id) => id !== background_id);
    const first = dragged[0] && moved.get(dragged[0]);
    if (!first) return;
    const by = snap(first, scene.system.grid);
    if (by[0] === 0 && by[1] === 0) {
      setNodes(base);
      return;
    }
    const steps: Edit[] = [{ op: "move", components: dragged, by }];
    void edit(path, name, steps, dragged.length > 1 ? "move parts" : `move ${dragged[0]}`)
      .then((done) => {
        if (!done) setNodes(base);
      });
  }, [moved, scene, base, path, name]);

  const onConnect = useCallback((link: FlowConnection) => {
    const end = (part: string, port: string | null) => (port ? `${part}.${port}` : part);
    const from = end(link.source, link.sourceHandle);
    const to = end(link.target, link.targetHandle);
    if (from !== to) void connect(path, name, scene, from, to);
  }, [path, name, scene]);

  const onDrop = useCallback((event: DragEvent) => {
    const type = event.dataTransfer.getData(class_data);
    if (!type) return;
    event.preventDefault();
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    void insertAt(path, name, type, snap(fromSheet([x, y]), scene.system.grid));
  }, [flow, path, name, scene]);

  const pickLine = useCallback((key: string, add: boolean) => {
    const { lines: before, parts } = focus.get();
    focus.set({
      lines: add ? [...before.filter((k) => k !== key), key] : [key],
      parts: add ? parts : [],
    });
    host.current?.focus();
    showInText(path, scene);
  }, [path, scene]);

  return (
    <div className={`sheet${stale ? " stale" : ""}`} ref={host} tabIndex={0}
      role="application" aria-label={`Diagram of ${name}`} onKeyDown={keys.onKeyDown}
      onPointerDown={(event) => {
        const node = (event.target as Element).closest<HTMLElement>(".react-flow__node-part");
        const { id } = node?.dataset ?? {};
        const isPort = (event.target as Element).closest(".port");
        if (id && !isPort && event.button === 0) {
          watchDragOf(scene, id, event.clientX, event.clientY);
        }
      }}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      }}
      onDrop={onDrop}>
      <ReactFlow nodes={nodes} edges={[]} nodeTypes={nodeTypes}
        onNodesChange={onNodesChange} onNodeDragStop={onDragStop}
        onSelectionDragStop={onDragStop} onConnect={onConnect}
        connectionLineComponent={PendingLine} connectionMode={"loose" as never}
        onMoveStart={(event) => {
          if (event) isMoved.current = true;
        }}
        onNodeDoubleClick={(_, node) => {
          if (node.type === "part") void openClass(node.data.part.type);
        }}
        onPaneClick={() => {
          focus.set({ parts: [], lines: [] });
          showInText(path, scene);
        }}
        snapToGrid snapGrid={[scene.system.grid[0] * scale, scene.system.grid[1] * scale]}
        fitView fitViewOptions={fitting(nodes_shown.current)} minZoom={0.1} maxZoom={16}
        disableKeyboardA11y deleteKeyCode={null} selectionKeyCode="Shift"
        multiSelectionKeyCode={["Shift", "Control"]} zoomOnDoubleClick={false}
        nodesConnectable={editable} elevateNodesOnSelect={false}
        proOptions={{ hideAttribution: true }}>
        {grid && <Background variant={BackgroundVariant.Dots} gap={10 * scale} size={1.5} />}
        <ViewportPortal>
          <LineLayer lines={lines} selected={selection.lines} pending={keys.pending}
            onPick={pickLine} />
        </ViewportPortal>
      </ReactFlow>
      <SheetOutline scene={scene} />
      {keys.help && <p className="sheet-help" role="status">{keys.help}</p>}
    </div>
  );
}
