#include "orrery/server/runs/run_state.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/server/children/child.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/parse_json.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLog = 256'000;  // Bytes.

Json AsJson(const RunState& run) {
  Json json = {{"id", run.id}, {"state", run.state}, {"phase", run.phase}};
  if (run.stop > run.start) {
    json["t"] = run.t;
    json["start"] = run.start;
    json["stop"] = run.stop;
    json["steps"] = run.steps;
  }
  json["message"] = run.message;
  if (run.experiment) {
    json["experiment"] = *run.experiment;
  }
  return json;
}

double NumberIn(const Json& json, const char* name) {
  const Json value = json.value(name, Json());
  return value.is_number() ? value.get<double>() : 0;
}

RunEvent EventOf(const RunState& run) {
  return {.type = "run", .data = ToJson(run, false)};
}

// An event with what a run has told, and with its number.
RunEvent EventWith(const char* type, Json what, const RunState& run) {
  Json json = {{"id", run.id}};
  for (auto& [name, value] : what.items()) {
    json[name] = std::move(value);
  }
  return {.type = type, .data = PrintJson(json)};
}

std::vector<RunEvent> TakeBegin(const Json& what, RunState& run) {
  run.state = "running";
  run.phase = "running";
  std::vector<RunEvent> events;
  if (const auto id = what.value("experiment", std::int64_t{0}); id > 0) {
    run.experiment = id;
    events.push_back({.type = "store", .data = PrintJson(Json{{"id", id}})});
  }
  events.insert(events.begin(), EventOf(run));
  return events;
}

std::vector<RunEvent> TakeCounts(const Json& what, RunState& run) {
  run.phase = fmt::format("{:.0f} of {:.0f} runs",
                          NumberIn(what, "ended"),
                          NumberIn(what, "asked"));
  return {EventOf(run), EventWith("table", what, run)};
}

std::vector<RunEvent> TakeSearch(const Json& what, RunState& run) {
  run.phase = fmt::format("{:.0f} evaluations, best {:.6g}",
                          NumberIn(what, "evaluations"),
                          NumberIn(what, "best"));
  return {EventOf(run),
          EventWith("table",
                    {{"ended", NumberIn(what, "evaluations")},
                     {"failed", NumberIn(what, "failed")},
                     {"best", what.value("best", Json())}},
                    run)};
}

std::vector<RunEvent> TakeNotice(const Json& what, RunState& run) {
  if (what.value("severity", "") == "error" && run.message.empty()) {
    run.message = what.value("message", "");
  }
  Json event = AsJson(run);
  event["diagnostic"] = what;
  return {{.type = "run", .data = PrintJson(event)}};
}

}  // namespace

std::string ToJson(const RunState& run, bool has_log) {
  Json json = AsJson(run);
  if (has_log) {
    json["argv"] = run.words;
    json["argv"].insert(json["argv"].begin(), "orrery");
    json["log"] = run.log;
  }
  return PrintJson(json);
}

std::vector<RunEvent> TakeReport(const std::string& line, RunState& run) {
  Json json = ParseJsonIfSound(line);
  if (!json.is_object() || json.size() != 1 || !json.front().is_object()) {
    return {};
  }
  const std::string about = json.begin().key();
  Json& what = json.front();
  if (about == "begin") {
    return TakeBegin(what, run);
  }
  if (about == "progress") {
    run.t = NumberIn(what, "t");
    run.start = NumberIn(what, "start");
    run.stop = NumberIn(what, "stop");
    run.steps = static_cast<std::int64_t>(NumberIn(what, "steps"));
    return {EventOf(run)};
  }
  if (about == "rows") {
    return {EventWith("rows", std::move(what), run)};
  }
  if (about == "runs") {
    return TakeCounts(what, run);
  }
  if (about == "search") {
    return TakeSearch(what, run);
  }
  if (about == "notice") {
    return TakeNotice(what, run);
  }
  if (about == "end") {
    run.message = what.value("message", "");
  }
  return {};
}

void TakeEnd(int exit_code, int signal, RunState& run) {
  run.phase = "";
  if (run.is_to_stop) {
    run.state = "stopped";
  } else if (signal != 0) {
    run.state = "interrupted";
    run.message = fmt::format(
        "{} ended the run{}",
        NameOfSignal(signal),
        run.stop > run.start ? fmt::format(" at t = {:.6g} s", run.t) : "");
  } else {
    run.state = exit_code == 0 ? "completed" : "failed";
    if (exit_code != 0 && run.message.empty()) {
      run.message = fmt::format("the command ended with code {}", exit_code);
    }
  }
}

void TakeLog(const std::string& text, RunState& run) {
  run.log += text;
  if (run.log.size() > kMostLog) {
    run.log.erase(0, run.log.size() - kMostLog);
  }
}

}  // namespace orrery::server
