// Layout of the window: its panes, their sizes, and the tabs of the centre.
import { createStore, recall, remember } from "./store";

export type Activity = "model" | "experiments" | "results" | "plan" | "trace";
export const activities: { id: Activity; label: string }[] = [
  { id: "model", label: "Model" },
  { id: "experiments", label: "Experiments" },
  { id: "results", label: "Results" },
  { id: "plan", label: "Plan" },
  { id: "trace", label: "Trace" },
];

export type DrawerPage = "problems" | "events" | "equations" | "log";

export type Tab =
  | { kind: "text"; path: string }
  | { kind: "diagram"; path: string; class: string }
  | { kind: "documentation"; class: string }
  | { kind: "plots" }
  | { kind: "design"; path: string }
  | { kind: "experiment"; id: number }
  | { kind: "compare"; ids: number[] }
  | { kind: "plan"; path: string }
  | { kind: "fmu"; path: string }
  /** A file, or the trace of the experiment `id`. */
  | { kind: "trace"; path: string; id?: number };

export interface Group {
  tabs: Tab[];
  active: number;
}

export interface Layout {
  activity: Activity;
  sidebar: boolean;
  inspector: boolean;
  drawer: boolean;
  drawerPage: DrawerPage;
  sidebarWidth: number;
  inspectorWidth: number;
  drawerHeight: number;
  /** Shares of the centre's width, one a group. */
  shares: number[];
  groups: Group[];
  focusedGroup: number;
}

const initial: Layout = {
  activity: "model",
  sidebar: true,
  inspector: true,
  drawer: true,
  drawerPage: "problems",
  sidebarWidth: 248,
  inspectorWidth: 272,
  drawerHeight: 172,
  shares: [1],
  groups: [{ tabs: [], active: 0 }],
  focusedGroup: 0,
};

export const layout = createStore<Layout>(recall("layout", initial));
layout.subscribe(() => remember("layout", layout.get()));

/** A text that is equal for equal tabs. */
export function keyOf(tab: Tab): string {
  return JSON.stringify(Object.entries(tab).sort());
}

function withGroup(
  value: Layout, index: number, change: (group: Group) => Group,
): Layout {
  const groups = value.groups.map((group, i) =>
    i === index ? change(group) : group);
  return { ...value, groups };
}

/** Shows a tab as `openTab` does; the group in use stays the one in use. */
export function openTabBeside(tab: Tab, group: number): void {
  layout.update((value) => ({
    ...withTab(value, tab, group), focusedGroup: value.focusedGroup,
  }));
}

/** Shows a tab: where it is already, else in `group` or the one in use. */
export function openTab(tab: Tab, group?: number): void {
  layout.update((value) => withTab(value, tab, group));
}

function withTab(value: Layout, tab: Tab, group?: number): Layout {
  const key = keyOf(tab);
  for (const [index, known] of value.groups.entries()) {
    const at = known.tabs.findIndex((other) => keyOf(other) === key);
    if (at >= 0) {
      return {
        ...withGroup(value, index, (g) => ({ ...g, active: at })),
        focusedGroup: index,
      };
    }
  }
  let index = group ?? value.focusedGroup;
  let next = value;
  if (index >= value.groups.length) {
    index = value.groups.length;
    next = {
      ...value,
      groups: [...value.groups, { tabs: [], active: 0 }],
      shares: [...value.shares, 1],
    };
  }
  return {
    ...withGroup(next, index, (g) => ({
      tabs: [...g.tabs, tab], active: g.tabs.length,
    })),
    focusedGroup: index,
  };
}

export function closeTab(group: number, index: number): void {
  layout.update((value) => {
    const changed = withGroup(value, group, (g) => ({
      tabs: g.tabs.filter((_, i) => i !== index),
      active: Math.max(0, g.active >= index ? g.active - 1 : g.active),
    }));
    if (changed.groups[group]?.tabs.length || changed.groups.length === 1) {
      return changed;
    }
    return {
      ...changed,
      groups: changed.groups.filter((_, i) => i !== group),
      shares: changed.shares.filter((_, i) => i !== group),
      focusedGroup: 0,
    };
  });
}

/** Replaces each tab by what `change` makes of it. */
export function changeTabs(change: (tab: Tab) => Tab): void {
  layout.update((value) => ({
    ...value, groups: value.groups.map((g) => ({ ...g, tabs: g.tabs.map(change) })),
  }));
}

/** Replaces a tab by another at its place. */
export function replaceTab(group: number, index: number, tab: Tab): void {
  layout.update((value) => withGroup(value, group, (g) => ({
    ...g, tabs: g.tabs.map((old, i) => (i === index ? tab : old)),
  })));
}

/** Moves the active tab of the group in use to the group at its right. */
export function splitTab(): void {
  const { focusedGroup, groups } = layout.get();
  const group = groups[focusedGroup];
  const tab = group?.tabs[group.active];
  if (!group || !tab || group.tabs.length < 2) return;
  closeTab(focusedGroup, group.active);
  openTab(tab, focusedGroup + 1);
}

export function activeTab(value: Layout): Tab | undefined {
  const group = value.groups[value.focusedGroup];
  return group?.tabs[group.active];
}
