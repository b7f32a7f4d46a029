#include "orrery/sdk/reports/joint_report.h"

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/sdk/reports/process_report.h"
#include "orrery/sdk/reports/report_parts.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::EventsAsJson;
using internal::FinalAsJson;
using internal::Json;
using internal::LagAsJson;
using internal::ParametersAsJson;
using internal::Print;
using internal::ValuesAsJson;
using internal::WaitingAsJson;
using internal::WorkAsJson;

namespace {

Json TimelineStatistics(const TimelineResult& run) {
  return {{"instants", run.instants},
          {"microsteps", run.microsteps},
          {"equations", WorkAsJson(run.summary)},
          {"devs", internal::StatisticsAsJson(run.devs)},
          {"tasks", internal::StatisticsAsJson(run.tasks)}};
}

}  // namespace

std::string JsonReport(const JointHead& head,
                       const JointRunResult& result,
                       double run_ms,
                       ReportedEvents events,
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
               {"statistics", TimelineStatistics(run)},
               {"spans_over", counts.over},
               {"spans_open", counts.open},
               {"final", std::move(final)},
               {"waiting", WaitingAsJson(run.waiting)},
               {"diagnostics", DiagnosticsAsJson(diagnostics)}};
  if (lag) {
    json["lag"] = LagAsJson(*lag);
  }
  if (events == ReportedEvents::kWith) {
    json["event_log"] = EventsAsJson(run.events);
  }
  return Print(json);
}

}  // namespace orrery
