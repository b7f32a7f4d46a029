// The window: activity bar, sidebar, centre, inspector, run bar and drawer.
import { useEffect } from "react";
import { Inspector } from "../inspector/inspector";
import { RunBar } from "../runs/run_bar";
import { layout } from "../state/layout";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { Empty } from "../ui/controls";
import { Splitter } from "../ui/splitter";
import { ActivityBar } from "./activity_bar";
import { Centre } from "./centre";
import { onKey } from "./commands";
import { Drawer } from "./drawer";
import { Notices } from "./notices";
import { Overlays } from "./overlays";
import { Sidebar } from "./sidebar";
import { TrustDialog } from "./trust_dialog";

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function resize(
  part: "sidebarWidth" | "inspectorWidth" | "drawerHeight", by: number,
): void {
  const most = part === "drawerHeight" ? window.innerHeight * 0.6
    : window.innerWidth * 0.4;
  layout.update((value) => ({
    ...value, [part]: clamp(value[part] + by, 120, most),
  }));
}

export function App() {
  const failure = useStore(session, (s) => s.failure);
  const shape = useStore(layout, (l) => ({
    sidebar: l.sidebar, inspector: l.inspector, drawer: l.drawer,
    sidebarWidth: l.sidebarWidth, inspectorWidth: l.inspectorWidth,
    drawerHeight: l.drawerHeight,
  }));
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  if (failure) {
    return (
      <main className="failure">
        <Empty icon="link" title="The studio cannot be reached">
          <p>{failure}</p>
          <p>Start it anew by <code>orrery studio</code>, or ask the running one
            for an address by <code>orrery studio --url</code>.</p>
        </Empty>
      </main>
    );
  }
  return (
    <div className="window">
      <ActivityBar />
      <div className="window-main">
        <div className="window-row">
          {shape.sidebar && (
            <>
              <div className="pane" style={{ width: shape.sidebarWidth }}>
                <Sidebar />
              </div>
              <Splitter direction="horizontal" label="Width of the sidebar" at={shape.sidebarWidth}
                onMove={(by) => resize("sidebarWidth", by)} />
            </>
          )}
          <Centre />
          {shape.inspector && (
            <>
              <Splitter direction="horizontal" label="Width of the inspector" at={shape.inspectorWidth}
                onMove={(by) => resize("inspectorWidth", -by)} />
              <div className="pane at-right" style={{ width: shape.inspectorWidth }}>
                <Inspector />
              </div>
            </>
          )}
        </div>
        <RunBar />
        {shape.drawer && (
          <>
            <Splitter direction="vertical" label="Height of the drawer" at={shape.drawerHeight}
              onMove={(by) => resize("drawerHeight", -by)} />
            <div className="drawer" style={{ height: shape.drawerHeight }}>
              <Drawer />
            </div>
          </>
        )}
      </div>
      <Notices />
      <Overlays />
      <TrustDialog />
    </div>
  );
}
