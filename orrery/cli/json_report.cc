#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "orrery/cli/internal/reports.h"

namespace orrery::cli {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no number for what is not finite.
Json NumberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

Json DiagnosticsAsJson(const std::vector<Diagnostic>& list) {
  Json array = Json::array();
  for (const Diagnostic& diagnostic : list) {
    array.push_back({{"severity", NameOf(diagnostic.severity)},
                     {"message", diagnostic.message},
                     {"hint", diagnostic.hint},
                     {"path", diagnostic.path},
                     {"file", diagnostic.file},
                     {"line", diagnostic.line},
                     {"column", diagnostic.column}});
  }
  return array;
}

Json FinalValues(const Trajectory& run) {
  Json values = Json::object();
  if (run.rows() > 0) {
    for (std::size_t i = 0; i < run.signals().size(); ++i) {
      values[run.signals()[i].name] = NumberOrNull(run.signal(i).final());
    }
  }
  return values;
}

Json EventsAsJson(const EventLog& log) {
  Json array = Json::array();
  for (const EventLog::Entry& entry : log.entries()) {
    array.push_back({{"time", entry.t},
                     {"name", log.NameOf(entry)},
                     {"direction", Describe(entry.direction)}});
  }
  return array;
}

// Names and texts may hold bytes that are not UTF-8.
std::string Print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string JsonReport(const Program& program,
                       const RunResult& result,
                       const Timing& timing,
                       EventList events) {
  const Summary& summary = result.summary;
  std::vector<Diagnostic> diagnostics = program.warnings;
  diagnostics.insert(diagnostics.end(),
                     summary.diagnostics.begin(),
                     summary.diagnostics.end());
  Json switches = Json::array();
  for (const MethodSwitch& change : summary.switches) {
    switches.push_back({{"time", change.t},
                        {"from", change.from},
                        {"to", change.to},
                        {"reason", change.reason}});
  }
  Json json = {{"status", Describe(summary.outcome)},
               {"message", summary.message},
               {"model", program.name},
               {"time", TimeReached(result)},
               {"solver", summary.solver},
               {"switches", std::move(switches)},
               {"events", summary.events},
               {"steps", summary.steps},
               {"rejected_steps", summary.rejected_steps},
               {"rhs_evaluations", summary.rhs_evaluations},
               {"jacobian_evaluations", summary.jacobian_evaluations},
               {"loop_iterations", summary.loop_iterations},
               {"compile_ms", timing.compile_ms},
               {"run_ms", timing.run_ms},
               {"final", FinalValues(result.trajectory)},
               {"diagnostics", DiagnosticsAsJson(diagnostics)}};
  if (events == EventList::kWith) {
    json["event_log"] = EventsAsJson(result.events);
  }
  return Print(json);
}

std::string JsonReport(const Error& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  if (diagnostics.empty()) {
    diagnostics.push_back({.message = error.what()});
  }
  const auto first =
      std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  Json json = {
      {"status", "error"},
      {"message", first == diagnostics.end() ? error.what() : first->message}};
  for (const char* key : {"model",
                          "time",
                          "solver",
                          "switches",
                          "events",
                          "steps",
                          "rejected_steps",
                          "rhs_evaluations",
                          "jacobian_evaluations",
                          "loop_iterations",
                          "compile_ms",
                          "run_ms",
                          "final"}) {
    json[key] = nullptr;
  }
  json["diagnostics"] = DiagnosticsAsJson(diagnostics);
  return Print(json);
}

}  // namespace orrery::cli
