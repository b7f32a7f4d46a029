// The tabs of the centre, in groups beside each other.
import { Fragment } from "react";
import type { DragEvent } from "react";
import { dropOnModel } from "../experiments/measured_data";
import { layout } from "../state/layout";
import type { Group } from "../state/layout";
import { useStore } from "../state/store";
import { Splitter } from "../ui/splitter";
import { TabBar } from "./tab_bar";
import { TabContent } from "./tab_content";
import { Welcome } from "./welcome";

/** Moves the edge between two groups by a share of the window's width. */
function moveEdge(left: number, by: number): void {
  layout.update((value) => {
    const total = value.shares.reduce((a, b) => a + b, 0);
    const delta = (by / Math.max(1, window.innerWidth)) * total * 1.6;
    const shares = [...value.shares];
    const a = shares[left] ?? 1;
    const b = shares[left + 1] ?? 1;
    const moved = Math.max(-a + 0.2, Math.min(b - 0.2, delta));
    shares[left] = a + moved;
    shares[left + 1] = b - moved;
    return { ...value, shares };
  });
}

function GroupPane({ group, index }: { group: Group; index: number }) {
  const tab = group.tabs[group.active];
  const share = useStore(layout, (l) => l.shares[index] ?? 1);
  const focused = useStore(layout, (l) => l.focusedGroup === index);
  const focus = () => {
    if (layout.get().focusedGroup !== index) layout.set({ focusedGroup: index });
  };
  return (
    <section className="group" style={{ flexGrow: share }} data-focused={focused}
      aria-label={`Tabs, group ${index + 1}`} onPointerDownCapture={focus}
      onFocusCapture={focus}>
      <TabBar group={group} index={index} />
      <div className="group-content">
        {tab ? <TabContent tab={tab} group={index} index={group.active} />
          : <Welcome />}
      </div>
    </section>
  );
}

export function Centre() {
  const groups = useStore(layout, (l) => l.groups);
  const shares = useStore(layout, (l) => l.shares);
  // Before the editor, which would insert the text of a file that is dropped on it.
  const drop = (event: DragEvent) => {
    if (!dropOnModel(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const allowFiles = (event: DragEvent) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  };
  return (
    <main className="centre" onDropCapture={drop} onDragOver={allowFiles}>
      {groups.map((group, index) => (
        <Fragment key={index}>
          {index > 0 && (
            <Splitter direction="horizontal" label="Width of the groups"
              at={(shares[index - 1] ?? 1) * 100}
              onMove={(by) => moveEdge(index - 1, by)} />
          )}
          <GroupPane group={group} index={index} />
        </Fragment>
      ))}
    </main>
  );
}
