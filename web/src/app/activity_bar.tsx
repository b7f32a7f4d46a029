// The bar at the left edge: what the sidebar is about.
import { activities, layout } from "../state/layout";
import type { Activity } from "../state/layout";
import { useStore } from "../state/store";
import { IconButton } from "../ui/controls";
import { Icon } from "../ui/icon";
import { switchTheme, theme } from "./theme";

function choose(activity: Activity): void {
  layout.update((value) => ({
    ...value, activity,
    sidebar: value.activity === activity ? !value.sidebar : true,
  }));
}

export function ActivityBar() {
  const { activity, sidebar, drawer, inspector } = useStore(layout, (l) => ({
    activity: l.activity, sidebar: l.sidebar, drawer: l.drawer,
    inspector: l.inspector,
  }));
  const dark = useStore(theme, (t) => t.dark);
  return (
    <nav className="activity-bar" aria-label="Activities">
      {activities.map(({ id, label }) => (
        <button key={id} type="button" className="activity" title={label}
          aria-current={sidebar && activity === id ? "page" : undefined}
          onClick={() => choose(id)}>
          <Icon name={id} size={20} />
          <span>{label}</span>
        </button>
      ))}
      <div className="grow" />
      <IconButton icon="panel" label={drawer ? "Hide the drawer" : "Show the drawer"}
        keys="Ctrl+J" pressed={drawer}
        onClick={() => layout.set({ drawer: !drawer })} />
      <IconButton icon="inspector" keys="Ctrl+I" pressed={inspector}
        label={inspector ? "Hide the inspector" : "Show the inspector"}
        onClick={() => layout.set({ inspector: !inspector })} />
      <IconButton icon={dark ? "sun" : "moon"} onClick={switchTheme}
        label={dark ? "Light colours" : "Dark colours"} />
    </nav>
  );
}
