#include <string>

#include "orrery/cli/run_reports/json_parts.h"
#include "orrery/cli/run_reports/task_reports.h"

namespace orrery::cli {

Json StatisticsAsJson(const process::Statistics& statistics) {
  return {{"instants", statistics.instants},
          {"microsteps", statistics.microsteps},
          {"steps", statistics.steps},
          {"tasks", statistics.spawned},
          {"evaluations", statistics.evaluations},
          {"samples", statistics.samples}};
}

Json ParametersAsJson(std::span<const ParameterInfo> parameters) {
  Json json = Json::object();
  for (const ParameterInfo& info : parameters) {
    json[info.name] = info.value;
  }
  return json;
}

Json ValuesAsJson(std::span<const ProcessRunResult::Value> values) {
  Json json = Json::object();
  for (const ProcessRunResult::Value& value : values) {
    json[value.name] = ValueAsJson(value.value);
  }
  return json;
}

Json WaitingAsJson(std::span<const process::WaitingTask> waiting) {
  Json json = Json::array();
  for (const process::WaitingTask& task : waiting) {
    json.push_back({{"task", task.task}, {"for", task.awaits}});
  }
  return json;
}

std::string TaskJsonReport(const TaskHead& head,
                           const ProcessRunResult& result,
                           std::span<const process::Span> spans,
                           double run_ms,
                           const std::optional<LagReport>& lag) {
  std::vector<Diagnostic> diagnostics(head.warnings.begin(),
                                      head.warnings.end());
  for (const std::string& warning : result.warnings) {
    diagnostics.push_back({.severity = Severity::kWarning, .message = warning});
  }
  if (!result.message.empty()) {
    diagnostics.push_back({.message = result.message});
  }
  const SpanCounts counts = CountSpans(spans);
  Json json = {{"status", Describe(result.outcome)},
               {"message", result.message},
               {"model", head.model},
               {"seed", result.seed},
               {"cells", head.size.cells},
               {"resources", head.size.resources},
               {"activities", head.size.activities},
               {"planned", head.planned},
               {"parameters", ParametersAsJson(head.parameters)},
               {"run_ms", run_ms},
               {"time", Seconds(result.end).value},
               {"statistics", StatisticsAsJson(result.statistics)},
               {"spans_over", counts.over},
               {"spans_open", counts.open},
               {"final", ValuesAsJson(result.values)},
               {"waiting", WaitingAsJson(result.waiting)},
               {"diagnostics", DiagnosticsAsJson(diagnostics)}};
  if (lag) {
    json["lag"] = LagAsJson(*lag);
  }
  return Print(json);
}

std::string TaskJsonReport(const Error& error) {
  return Print(ErrorAsJson(error,
                           {"model",
                            "seed",
                            "cells",
                            "resources",
                            "activities",
                            "planned",
                            "parameters",
                            "run_ms",
                            "time",
                            "statistics",
                            "spans_over",
                            "spans_open",
                            "final",
                            "waiting"}));
}

}  // namespace orrery::cli
