#include "orrery/sdk/reports/report_parts.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace orrery::sdk::internal {
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

Json StatisticsAsJson(const devs::Statistics& statistics) {
  return {{"microsteps", statistics.microsteps},
          {"internal", statistics.internal},
          {"external", statistics.external},
          {"confluent", statistics.confluent},
          {"messages", statistics.messages}};
}

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

}  // namespace orrery::sdk::internal
