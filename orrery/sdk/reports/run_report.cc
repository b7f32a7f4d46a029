#include "orrery/sdk/reports/run_report.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/sdk/reports/report_parts.h"

namespace orrery {

namespace internal = sdk::internal;

double TimeReached(const RunResult& result) {
  return result.trajectory.rows() > 0 ? result.trajectory.time().back()
                                      : result.summary.end_time;
}

std::string JsonReport(const std::string& model,
                       std::vector<Diagnostic> warnings,
                       const RunResult& result,
                       const RunTiming& timing,
                       ReportedEvents events,
                       const std::optional<LagReport>& lag) {
  const Summary& summary = result.summary;
  std::vector<Diagnostic> diagnostics = std::move(warnings);
  diagnostics.insert(diagnostics.end(),
                     summary.diagnostics.begin(),
                     summary.diagnostics.end());
  internal::Json json = {{"status", Describe(summary.outcome)},
                         {"message", summary.message},
                         {"model", model},
                         {"time", TimeReached(result)}};
  json.update(internal::WorkAsJson(summary));
  json.update({{"compile_ms", timing.compile_ms},
               {"run_ms", timing.run_ms},
               {"final", internal::FinalAsJson(result.trajectory)},
               {"diagnostics", internal::DiagnosticsAsJson(diagnostics)}});
  for (const PartTiming& part : timing.parts) {
    json["statistics"].push_back({{"name", part.name},
                                  {"steps", part.steps},
                                  {"events", part.events},
                                  {"ms", part.ms}});
  }
  if (lag) {
    json["lag"] = internal::LagAsJson(*lag);
  }
  if (events == ReportedEvents::kWith) {
    json["event_log"] = internal::EventsAsJson(result.events);
  }
  return internal::Print(json);
}

std::string JsonReport(const Program& program,
                       const RunResult& result,
                       const RunTiming& timing,
                       ReportedEvents events,
                       const std::optional<LagReport>& lag) {
  return JsonReport(
      program.name, program.warnings, result, timing, events, lag);
}

}  // namespace orrery
