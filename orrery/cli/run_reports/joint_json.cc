#include <string>
#include <vector>

#include "orrery/cli/run_reports/joint_reports.h"
#include "orrery/cli/run_reports/json_parts.h"
#include "orrery/cli/run_reports/task_reports.h"

namespace orrery::cli {
namespace {

Json StatisticsAsJson(const TimelineResult& run) {
  return {{"instants", run.instants},
          {"microsteps", run.microsteps},
          {"equations", WorkAsJson(run.summary)},
          {"devs", cli::StatisticsAsJson(run.devs)},
          {"tasks", cli::StatisticsAsJson(run.tasks)}};
}

}  // namespace

std::string JointJsonReport(const JointHead& head,
                            const JointRunResult& result,
                            double run_ms,
                            EventList events,
                            const std::optional<LagReport>& lag) {
  const TimelineResult& run = result.run;
  std::vector<Diagnostic> diagnostics = run.summary.diagnostics;
  for (const std::string& warning : run.warnings) {
    diagnostics.push_back({.severity = Severity::kWarning, .message = warning});
  }
  Json final = FinalAsJson(run.trajectory);
  final.update(ValuesAsJson(result.values));
  const SpanCounts counts = CountSpans(run.recording.spans);
  const JointModelSize& size = head.size;
  Json json = {{"status", Describe(run.summary.outcome)},
               {"message", run.summary.message},
               {"model", head.model},
               {"seed", result.seed},
               {"equations",
                size.equations.empty() ? Json(nullptr) : Json(size.equations)},
               {"states", size.states},
               {"inputs", size.inputs},
               {"atomic_models", size.devs.atomics},
               {"cells", size.tasks.cells},
               {"resources", size.tasks.resources},
               {"activities", size.tasks.activities},
               {"planned", head.planned},
               {"parameters", ParametersAsJson(head.parameters)},
               {"make_ms", head.make_ms},
               {"run_ms", run_ms},
               {"time", run.summary.end_time},
               {"statistics", StatisticsAsJson(run)},
               {"spans_over", counts.over},
               {"spans_open", counts.open},
               {"final", std::move(final)},
               {"waiting", WaitingAsJson(run.waiting)},
               {"diagnostics", DiagnosticsAsJson(diagnostics)}};
  if (lag) {
    json["lag"] = LagAsJson(*lag);
  }
  if (events == EventList::kWith) {
    json["event_log"] = EventsAsJson(run.events);
  }
  return Print(json);
}

std::string JointJsonReport(const Error& error) {
  return Print(ErrorAsJson(error,
                           {"model",
                            "seed",
                            "equations",
                            "states",
                            "inputs",
                            "atomic_models",
                            "cells",
                            "resources",
                            "activities",
                            "planned",
                            "parameters",
                            "make_ms",
                            "run_ms",
                            "time",
                            "statistics",
                            "spans_over",
                            "spans_open",
                            "final",
                            "waiting"}));
}

}  // namespace orrery::cli
