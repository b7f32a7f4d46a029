// The tabs of a group.
import { useEffect, useRef } from "react";
import { closeDocument, documents } from "../state/documents";
import { closeTab, keyOf, layout, splitTab } from "../state/layout";
import type { Group, Tab } from "../state/layout";
import { useStore } from "../state/store";
import { IconButton } from "../ui/controls";
import { Icon } from "../ui/icon";
import type { IconName } from "../ui/icon";

const icons: Record<Tab["kind"], IconName> = {
  text: "file", diagram: "model", documentation: "book", plots: "results",
  design: "experiments", experiment: "experiments", compare: "compare",
  plan: "plan", trace: "trace", fmu: "model",
};

function last(name: string, separator: string): string {
  return name.split(separator).pop() ?? name;
}

export function titleOf(tab: Tab): string {
  switch (tab.kind) {
    case "text": return last(tab.path, "/");
    case "diagram": return last(tab.class, ".");
    case "documentation": return last(tab.class, ".");
    case "plots": return "Plots";
    case "design": return "New experiment";
    case "experiment": return `Experiment ${tab.id}`;
    case "compare": return `Compare ${tab.ids.join(", ")}`;
    case "plan": return last(tab.path, "/");
    case "fmu": return last(tab.path, "/");
    case "trace": return last(tab.path, "/");
  }
}

/** Closes a tab, and its document if no other tab shows it. */
function close(group: number, index: number, tab: Tab): void {
  closeTab(group, index);
  if (!("path" in tab)) return;
  const used = layout.get().groups.some((g) =>
    g.tabs.some((other) => "path" in other && other.path === tab.path));
  const dirty = documents.get().open[tab.path]?.dirty;
  if (!used && !dirty) closeDocument(tab.path);
}

export function TabBar({ group, index }: { group: Group; index: number }) {
  const open = useStore(documents, (d) => d.open);
  const activate = (active: number) => layout.update((value) => ({
    ...value, focusedGroup: index,
    groups: value.groups.map((g, i) => (i === index ? { ...g, active } : g)),
  }));
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    bar.current?.querySelector("[data-active=true]")
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [group]);
  if (group.tabs.length === 0) return null;
  return (
    <div className="tab-bar">
      <div className="tabs" role="tablist" ref={bar}>
        {group.tabs.map((tab, i) => {
          const dirty = tab.kind === "text" && open[tab.path]?.dirty;
          const errors = tab.kind === "text" ? open[tab.path]?.errors ?? 0 : 0;
          return (
            <div key={keyOf(tab)} className="tab" data-active={i === group.active}
              onAuxClick={() => close(index, i, tab)}>
              <button type="button" role="tab" aria-selected={i === group.active}
                title={"path" in tab ? tab.path : titleOf(tab)}
                onClick={() => activate(i)}
                onKeyDown={(event) => {
                  if (event.key === "Delete") close(index, i, tab);
                }}>
                <Icon name={icons[tab.kind]} size={14} />
                <span>{titleOf(tab)}</span>
                {errors > 0 && <span className="badge bad">{errors}</span>}
                {dirty && <span className="dot" role="img" aria-label="not saved" />}
              </button>
              <button type="button" className="tab-close" aria-hidden="true" tabIndex={-1}
                title={`Close ${titleOf(tab)}`} onClick={() => close(index, i, tab)}>
                <Icon name="close" size={12} />
              </button>
            </div>
          );
        })}
      </div>
      <IconButton icon="split" label="Move this tab to a split" keys="Ctrl+\"
        disabled={group.tabs.length < 2} onClick={splitTab} />
    </div>
  );
}
