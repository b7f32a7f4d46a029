// The events of a run; a click sets cursor A of all plots.
import { useEffect, useState } from "react";
import { getJson } from "../api/client";
import type { EventItem, Window } from "../api/types";
import { plots } from "../plot/plots";
import { short } from "../plot/values";
import { Empty } from "../ui/controls";
import { Icon } from "../ui/icon";
import { VirtualList } from "../ui/virtual_list";
import { useStoredRun } from "./stored_run";

export function EventsPage() {
  const run = useStoredRun();
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Window<EventItem> | null>(null);
  useEffect(() => {
    setFound(null);
    if (!run) return undefined;
    const stop = new AbortController();
    getJson<Window<EventItem>>(`/api/experiments/${run}/events`,
      { limit: 5000, ...(query ? { q: query } : {}) }, stop.signal)
      .then(setFound)
      .catch(() => undefined);
    return () => stop.abort();
  }, [run, query]);
  if (!run) {
    return <Empty icon="info" title="No events yet">
      <p>After a run, each event is listed with its time, cause and component.</p>
    </Empty>;
  }
  const items = found?.items ?? [];
  return (
    <div className="events">
      <div className="search">
        <Icon name="search" size={14} />
        <input type="search" value={query} placeholder="Filter the events"
          aria-label="Filter the events" onChange={(e) => setQuery(e.target.value)} />
      </div>
      {found && items.length === 0
        ? <Empty icon="info" title="There were no events in this run" />
        : <VirtualList count={items.length} rowHeight={24} label="Events"
            row={(i) => {
              const item = items[i];
              return item && (
                <button type="button" className="event-row"
                  onClick={() => plots.set({ cursors: {
                    ...plots.get().cursors, a: item.time,
                  } })}>
                  <span className="number">{short(item.time)} s</span>
                  <span className="soft">{item.kind}</span>
                  <span>{item.text}</span>
                  <span className="soft">{item.component}</span>
                </button>
              );
            }} />}
    </div>
  );
}
