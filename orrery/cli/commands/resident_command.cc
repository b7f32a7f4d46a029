#include "orrery/cli/commands/resident_command.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/live/live_session.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/reports/process_report.h"

namespace orrery::cli {
namespace {

using Json = nlohmann::ordered_json;

void CheckResident(const RunCommand& command) {
  const TaskChoices& tasks = command.tasks;
  if (!tasks.plan.empty() || !tasks.spans.empty() || !tasks.event_log.empty() ||
      tasks.timeline || !command.outputs.empty() || !command.plots.empty() ||
      !command.until.empty() || command.json || IsLive(command)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take --resident beside options for a plan, for results "
                "or for the end or the pace of a run: plans come by standard "
                "input, and each answer has its results; leave them out");
  }
}

// A stream to who asks: at its descriptor if it has given one, else to where
// standard output led; then what is printed from now on goes to standard error.
class Answers {
 public:
  explicit Answers(int report) {
    if (report != ReportStream::kNone) {
      out_ = fdopen(dup(report), "w");
    } else {
      std::fflush(stdout);
      out_ = fdopen(dup(STDOUT_FILENO), "w");
      dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    if (out_ == nullptr) {
      throw Error(ErrorCode::kIo, "cannot answer: there is no open descriptor");
    }
  }

  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  ~Answers() { std::fclose(out_); }

  void Write(const std::string& line) {
    fmt::print(out_, "{}\n", line);
    std::fflush(out_);
  }

 private:
  std::FILE* out_ = nullptr;
};

// Answers requests, one after the other.
class Resident {
 public:
  explicit Resident(PlanSession& session) : session_(session) {}

  // The answer to a line.
  [[nodiscard]] std::string Take(const std::string& line) {
    const Json request = Json::parse(line, nullptr, false);
    std::string id = "null";
    std::string report;
    try {
      if (!request.is_object()) {
        throw Error(ErrorCode::kInvalidArgument,
                    "cannot read a request: it is no object of JSON");
      }
      id = request.value("id", Json())
               .dump(-1, ' ', false, Json::error_handler_t::replace);
      report = Answer(request);
    } catch (const Error& error) {
      report = PlanReport(error);
    } catch (const Json::exception&) {
      report = PlanReport(Error(ErrorCode::kInvalidArgument,
                                "cannot read a request: its name and its text "
                                "are texts, from, to and px numbers"));
    }
    return fmt::format("{{\"id\":{},{}", id, report.substr(1));
  }

 private:
  std::string Answer(const Json& request) {
    if (request.contains("text")) {
      const auto plan = std::make_shared<const SourceFile>(
          request.value("name", "plan"), request.at("text").get<std::string>());
      const Stopwatch watch;
      static_cast<void>(session_.Run(plan));
      run_ms_ = watch.Milliseconds();
    }
    if (session_.last() == nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot show a part of a run: no plan was carried out; send "
                  "one as \"text\"");
    }
    return PlanReport(*session_.last(), run_ms_, RangeIn(request));
  }

  static std::optional<DrawnRange> RangeIn(const Json& request) {
    if (!request.contains("from") || !request.contains("to")) {
      return std::nullopt;
    }
    return DrawnRange{.from = request.at("from").get<double>(),
                      .to = request.at("to").get<double>(),
                      .pixels = request.value("px", std::size_t{2000})};
  }

  PlanSession& session_;
  double run_ms_ = 0;  // Time of the last plan without errors.
};

}  // namespace

int RunResident(const RunCommand& command, const ProcessModel& model) {
  CheckResident(command);
  PlanSession session(model, ProcessOptionsOf(DocumentOf(command)));
  Answers answers(command.report_fd);
  answers.Write(Json{{"ready", {{"model", session.model_name()}}}}.dump());
  Resident resident(session);
  std::string line;
  while (std::getline(std::cin, line)) {
    answers.Write(resident.Take(line));
  }
  return kSuccess;
}

}  // namespace orrery::cli
