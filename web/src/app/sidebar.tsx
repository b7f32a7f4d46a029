// The sidebar of the chosen activity.
import { ExperimentList } from "../experiments/experiment_list";
import { Library } from "../library/library";
import { PlanList } from "../plan/plan_list";
import { SignalsSidebar } from "../results/signals_sidebar";
import { layout } from "../state/layout";
import { useStore } from "../state/store";
import { TraceList } from "../trace/trace_list";

const titles = {
  model: "Library", experiments: "Experiments", results: "Results", plan: "Plans",
  trace: "Traces",
};

export function Sidebar() {
  const activity = useStore(layout, (l) => l.activity);
  return (
    <aside className="sidebar" aria-label={titles[activity]}>
      <header className="pane-head"><h1>{titles[activity]}</h1></header>
      {activity === "model" && <Library />}
      {activity === "experiments" && <ExperimentList />}
      {activity === "results" && <SignalsSidebar />}
      {activity === "plan" && <PlanList />}
      {activity === "trace" && <TraceList />}
    </aside>
  );
}
