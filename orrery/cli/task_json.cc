#include <string>
#include <variant>

#include "orrery/cli/internal/json_parts.h"
#include "orrery/cli/internal/task_reports.h"

namespace orrery::cli {
namespace {

struct ToJson {
  Json operator()(std::monostate /*none*/) const { return nullptr; }

  Json operator()(bool value) const { return value; }

  Json operator()(std::int64_t value) const { return value; }

  Json operator()(double value) const { return NumberOrNull(value); }

  Json operator()(Duration value) const { return Seconds(value).value; }

  Json operator()(const std::string& value) const { return value; }
};

}  // namespace

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
    json[value.name] = std::visit(ToJson(), value.value);
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
                           double run_ms) {
  std::vector<Diagnostic> diagnostics;
  for (const std::string& warning : result.warnings) {
    diagnostics.push_back({.severity = Severity::kWarning, .message = warning});
  }
  if (!result.message.empty()) {
    diagnostics.push_back({.message = result.message});
  }
  const SpanCounts counts = CountSpans(spans);
  return Print({{"status", Describe(result.outcome)},
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
                {"diagnostics", DiagnosticsAsJson(diagnostics)}});
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
