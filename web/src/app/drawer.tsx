// The drawer at the lower edge: problems, events, equations, log.
import { lazy, Suspense } from "react";
import { EventsPage } from "../results/events_page";
import { LogPage, TerminalLine } from "../runs/log_page";
import { documents } from "../state/documents";
import { layout } from "../state/layout";
import type { DrawerPage } from "../state/layout";
import { useStore } from "../state/store";
import { ProblemsPage } from "./problems_page";

const EquationsPage = lazy(() => import("../results/equations_page"));

const pages: { id: DrawerPage; title: string }[] = [
  { id: "problems", title: "Problems" },
  { id: "events", title: "Events" },
  { id: "equations", title: "Equations" },
  { id: "log", title: "Log" },
];

export function Drawer() {
  const page = useStore(layout, (l) => l.drawerPage);
  const problems = useStore(documents, (d) =>
    Object.values(d.open).reduce((sum, f) => sum + f.errors + f.warnings, 0));
  return (
    <>
      <header className="drawer-head">
        <div role="tablist" aria-label="Drawer" className="drawer-tabs">
          {pages.map(({ id, title }) => (
            <button key={id} type="button" role="tab" aria-selected={page === id}
              onClick={() => layout.set({ drawerPage: id })}>
              {title}
              {id === "problems" && problems > 0
                && <span className="badge bad">{problems}</span>}
            </button>
          ))}
        </div>
        <TerminalLine />
      </header>
      <div className="drawer-page" role="tabpanel" aria-label={page}>
        {page === "problems" && <ProblemsPage />}
        {page === "events" && <EventsPage />}
        {page === "equations" && (
          <Suspense fallback={<p className="loading">Loading…</p>}>
            <EquationsPage />
          </Suspense>
        )}
        {page === "log" && <LogPage />}
      </div>
    </>
  );
}
