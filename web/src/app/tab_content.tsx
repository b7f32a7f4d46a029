// Content of a tab. Screens that not everybody opens are loaded when they are.
import { Suspense, lazy } from "react";
import { EditorPane } from "../editor/editor_pane";
import type { Tab } from "../state/layout";

const DiagramPane = lazy(() => import("../diagram/diagram_pane"));
const Documentation = lazy(() => import("../library/documentation"));
const PlotsPane = lazy(() => import("../plot/plots_pane"));
const DesignPane = lazy(() => import("../experiments/design_pane"));
const ExperimentPane = lazy(() => import("../experiments/experiment_pane"));
const ComparePane = lazy(() => import("../experiments/compare_pane"));
const FmuPane = lazy(() => import("../fmu/fmu_pane"));
const PlanPane = lazy(() => import("../plan/plan_pane"));
const TracePane = lazy(() => import("../trace/trace_pane"));

interface TabContentProps {
  tab: Tab;
  group: number;
  index: number;
}

function Screen({ tab, group, index }: TabContentProps) {
  switch (tab.kind) {
    case "text": return <EditorPane key={tab.path} path={tab.path} />;
    case "diagram":
      return <DiagramPane key={`${tab.path}#${tab.class}`} path={tab.path}
        name={tab.class} group={group} index={index} />;
    case "documentation": return <Documentation key={tab.class} name={tab.class} />;
    case "plots": return <PlotsPane />;
    case "design": return <DesignPane key={tab.path} path={tab.path} />;
    case "experiment": return <ExperimentPane key={tab.id} id={tab.id} />;
    case "compare": return <ComparePane key={tab.ids.join()} ids={tab.ids} />;
    case "fmu": return <FmuPane key={tab.path} path={tab.path} />;
    case "plan": return <PlanPane key={tab.path} path={tab.path} />;
    case "trace": return <TracePane key={tab.path} path={tab.path} id={tab.id} />;
  }
}

export function TabContent(props: TabContentProps) {
  return (
    <Suspense fallback={<p className="loading">Loading…</p>}>
      <Screen {...props} />
    </Suspense>
  );
}
