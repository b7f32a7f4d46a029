#include "orrery/sdk/reports/devs_report.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/sdk/reports/report_parts.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::DiagnosticsAsJson;
using internal::Json;
using internal::LagAsJson;
using internal::NumberOrNull;
using internal::ParametersAsJson;
using internal::Print;
using internal::StatisticsAsJson;

namespace {

double SecondsOf(Duration time) {
  return Seconds(time).value;
}

Json ValuesAsJson(const DevsRunResult& run) {
  Json values = Json::object();
  for (const DevsRunResult::Value& value : run.values) {
    values[value.name] = NumberOrNull(value.value);
  }
  return values;
}

// The time of the last output of each port.
Json TimesAsJson(const DevsRunResult& run) {
  Json times = Json::object();
  for (const DevsRunResult::Value& value : run.values) {
    if (value.time) {
      times[value.name] = SecondsOf(*value.time);
    }
  }
  return times;
}

Json HeadAsJson(DevsOutcome outcome,
                const std::string& message,
                const DevsHead& head) {
  return {{"status", Describe(outcome)},
          {"message", message},
          {"model", head.model},
          {"formalism",
           head.engine.formalism == devs::Formalism::kClassic ? "classic"
                                                              : "parallel"},
          {"seed", head.engine.seed},
          {"atomic_models", head.size.atomics},
          {"couplings", head.size.couplings},
          {"parameters", ParametersAsJson(head.parameters)},
          {"flatten_ms", head.flatten_ms}};
}

Json MessagesAsJson(const std::string& message) {
  std::vector<Diagnostic> diagnostics;
  if (!message.empty()) {
    diagnostics.push_back({.message = message});
  }
  return DiagnosticsAsJson(diagnostics);
}

}  // namespace

DevsOutcome OutcomeOf(std::span<const DevsRunResult> runs, std::int64_t asked) {
  for (const DevsOutcome outcome :
       {DevsOutcome::kFailed, DevsOutcome::kInterrupted}) {
    if (std::ranges::find(runs, outcome, &DevsRunResult::outcome) !=
        runs.end()) {
      return outcome;
    }
  }
  return static_cast<std::int64_t>(runs.size()) < asked
             ? DevsOutcome::kInterrupted
             : DevsOutcome::kCompleted;
}

std::string JsonReport(const DevsHead& head,
                       const DevsRunResult& result,
                       double run_ms,
                       const std::optional<LagReport>& lag) {
  Json json = HeadAsJson(result.outcome, result.message, head);
  json["run_ms"] = run_ms;
  json["time"] = SecondsOf(result.end);
  json["statistics"] = StatisticsAsJson(result.statistics);
  json["final"] = ValuesAsJson(result);
  json["final_times"] = TimesAsJson(result);
  if (lag) {
    json["lag"] = LagAsJson(*lag);
  }
  json["diagnostics"] = MessagesAsJson(result.message);
  return Print(json);
}

std::string JsonReport(const DevsHead& head,
                       std::span<const DevsRunResult> runs,
                       std::int64_t asked,
                       double run_ms) {
  std::string message;
  Json list = Json::array();
  for (const DevsRunResult& run : runs) {
    message = message.empty() ? run.message : message;
    list.push_back({{"seed", run.seed},
                    {"status", Describe(run.outcome)},
                    {"message", run.message},
                    {"time", SecondsOf(run.end)},
                    {"statistics", StatisticsAsJson(run.statistics)},
                    {"final", ValuesAsJson(run)}});
  }
  Json estimates = Json::object();
  for (const DevsEstimate& value : EstimateValues(runs)) {
    const Estimate& estimate = value.estimate;
    estimates[value.name] = {
        {"count", estimate.count},
        {"mean", NumberOrNull(estimate.mean)},
        {"deviation", NumberOrNull(estimate.deviation)},
        {"low", NumberOrNull(estimate.mean - estimate.half_width)},
        {"high", NumberOrNull(estimate.mean + estimate.half_width)}};
  }
  Json json = HeadAsJson(OutcomeOf(runs, asked), message, head);
  json["run_ms"] = run_ms;
  json["replications"] = asked;
  json["estimates"] = std::move(estimates);
  json["runs"] = std::move(list);
  json["diagnostics"] = MessagesAsJson(message);
  return Print(json);
}

}  // namespace orrery
