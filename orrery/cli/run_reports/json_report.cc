#include <utility>

#include "orrery/cli/run_reports/json_parts.h"
#include "orrery/cli/run_reports/reports.h"

namespace orrery::cli {

Json FinalAsJson(const Trajectory& run) {
  // Names of signals are unique, so that appending needs no search.
  Json::object_t values;
  if (run.rows() > 0) {
    values.reserve(run.signals().size());
    for (std::size_t i = 0; i < run.signals().size(); ++i) {
      values.emplace_back(run.signals()[i].name,
                          NumberOrNull(run.signal(i).final()));
    }
  }
  return Json(std::move(values));
}

Json FinalBeside(const Trajectory& run, const std::string& report) {
  Json others = Json::object();
  const Json final = FinalOf(report);
  for (const auto& [name, value] : final.items()) {
    if (!run.Contains(name)) {
      others[name] = value;
    }
  }
  return others;
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

Json LagAsJson(const LagReport& lag) {
  return {{"instants", lag.instants},
          {"late", lag.late},
          {"max_s", Seconds(lag.max).value},
          {"max_at", Seconds(lag.max_at).value},
          {"mean_s", Seconds(lag.mean).value}};
}

namespace {

Json SwitchesAsJson(std::span<const MethodSwitch> switches) {
  Json array = Json::array();
  for (const MethodSwitch& change : switches) {
    array.push_back({{"time", change.t},
                     {"from", change.from},
                     {"to", change.to},
                     {"reason", change.reason}});
  }
  return array;
}

}  // namespace

Json WorkAsJson(const Summary& summary) {
  return {{"solver", summary.solver},
          {"switches", SwitchesAsJson(summary.switches)},
          {"events", summary.events},
          {"steps", summary.steps},
          {"rejected_steps", summary.rejected_steps},
          {"rhs_evaluations", summary.rhs_evaluations},
          {"jacobian_evaluations", summary.jacobian_evaluations},
          {"loop_iterations", summary.loop_iterations}};
}

std::string JsonReport(const Program& program,
                       const RunResult& result,
                       const Timing& timing,
                       EventList events,
                       const std::optional<LagReport>& lag) {
  const Summary& summary = result.summary;
  std::vector<Diagnostic> diagnostics = program.warnings;
  diagnostics.insert(diagnostics.end(),
                     summary.diagnostics.begin(),
                     summary.diagnostics.end());
  Json json = {{"status", Describe(summary.outcome)},
               {"message", summary.message},
               {"model", program.name},
               {"time", TimeReached(result)}};
  json.update(WorkAsJson(summary));
  json.update({{"compile_ms", timing.compile_ms},
               {"run_ms", timing.run_ms},
               {"final", FinalAsJson(result.trajectory)},
               {"diagnostics", DiagnosticsAsJson(diagnostics)}});
  if (lag) {
    json["lag"] = LagAsJson(*lag);
  }
  if (events == EventList::kWith) {
    json["event_log"] = EventsAsJson(result.events);
  }
  return Print(json);
}

std::string JsonReport(const Error& error) {
  return Print(ErrorAsJson(error,
                           {"model",
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
                            "final"}));
}

}  // namespace orrery::cli
