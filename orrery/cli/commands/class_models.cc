#include "orrery/cli/commands/class_models.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/cli/commands/devs_command.h"
#include "orrery/cli/commands/joint_command.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/commands/task_command.h"
#include "orrery/cli/live/live_session.h"
#include "orrery/cli/run_reports/devs_text.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"

namespace orrery::cli {

void RefuseGiven(const RunCommand& command,
                 std::span<const char* const> options,
                 const char* kind) {
  for (const char* option : options) {
    if (std::ranges::find(command.given, option) != command.given.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot take {} for {}: it means something to {} "
                              "only; leave it out",
                              option,
                              command.file,
                              kind));
    }
  }
}

std::function<bool(Duration, std::optional<Duration>)> Watched(ProgressBar& bar,
                                                               Duration start) {
  return [&bar, start](Duration now, std::optional<Duration> stop) {
    if (stop && *stop > start) {
      bar.Show({.start = Seconds(start).value,
                .t = Seconds(now).value,
                .stop = Seconds(*stop).value});
    }
    return InterruptGuard::goes_on();
  };
}

void TellWarnings(const RunCommand& command,
                  std::span<const std::string> warnings) {
  for (const std::string& warning : warnings) {
    PrintError("{}: warning: {}\n", command.program, warning);
  }
}

void TellTexts(const RunCommand& command,
               std::span<const process::Profile> profiles) {
  const std::vector<std::string> texts = TextProfiles(profiles);
  if (!command.outputs.empty() && !texts.empty()) {
    PrintError(
        "{}: warning: no {} in {}: files have no texts; --timeline draws "
        "them\n",
        command.program,
        fmt::join(texts, ", "),
        fmt::join(command.outputs, ", "));
  }
}

void TellEnd(const RunCommand& command,
             RunEnd outcome,
             const std::string& message) {
  if (outcome == RunEnd::kFailed) {
    PrintError("{}: {}\n", command.program, message);
  } else if (outcome == RunEnd::kInterrupted) {
    TellInterrupted(command, message);
  } else if (!message.empty() && !command.quiet) {
    TellNeverTrue(command);
  }
}

std::vector<std::string> PlottedNames(const PlotSpec& spec) {
  std::vector<std::string> names;
  for (const PlotSpec::Curve& curve : spec.curves) {
    names.push_back(curve.y);
  }
  return names;
}

void TellWritten(const RunCommand& command,
                 const std::vector<std::string>& written) {
  std::fflush(stdout);
  if (!command.quiet && !written.empty()) {
    PrintError("wrote {}\n", fmt::join(written, ", "));
  }
}

void CheckRecordFiles(const TaskChoices& tasks) {
  for (const std::string* path : {&tasks.spans, &tasks.event_log}) {
    if (!path->empty()) {
      CheckRecordFile(*path);
    }
  }
}

void KeepSpans(const RunCommand& command,
               std::span<const process::Span> spans,
               SavedExperiment& saved) {
  if (command.report_fd != ReportStream::kNone && saved.is_saved()) {
    saved.store().Attach(
        saved.id(), kSpansAttachment, "application/json", SpansAsJson(spans));
  }
}

void PrintCells(const ProcessModelParts& parts) {
  for (const std::string& cell : parts.cells) {
    fmt::print("  cell {}\n", cell);
  }
  for (const ProcessModelParts::Resource& resource : parts.resources) {
    fmt::print("  resource {}{}\n",
               resource.path,
               resource.unit.empty() ? "" : " in " + resource.unit);
  }
}

void PrintActivities(const ProcessModelParts& parts) {
  for (const ProcessModelParts::Activity& activity : parts.activities) {
    fmt::print("activity {}: {}\n{}",
               activity.path,
               activity.meaning,
               ParameterList(activity.arguments));
  }
}

void PrintEndAndParameters(const std::optional<Duration>& stop,
                           std::span<const ParameterInfo> parameters) {
  if (stop) {
    fmt::print("  ends at t = {} if --stop says nothing else\n", ToText(*stop));
  }
  if (!parameters.empty()) {
    fmt::print("parameters\n{}", ParameterList(parameters));
  }
}

void PrintPlan(const std::string& plan, std::size_t planned) {
  if (!plan.empty()) {
    fmt::print("{}: correct, {} planned\n", plan, planned);
  }
}

void CheckEndFits(const RunCommand& command) {
  if (!command.until.empty() && IsLive(command)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take --until beside --real-time or --connect: a run of "
                "DEVS or tasks at the pace of a clock ends at its stop time; "
                "leave one of them out");
  }
}

int Run(const RunCommand& command, const ClassModel& model) {
  if (const auto* const devs = std::get_if<DevsModel>(&model)) {
    return RunDevs(command, *devs);
  }
  if (const auto* const joint = std::get_if<JointModel>(&model)) {
    return RunJoint(command, *joint);
  }
  return RunTasks(command, std::get<ProcessModel>(model));
}

int Check(const CheckCommand& asked, const ClassModel& model) {
  if (const auto* const joint = std::get_if<JointModel>(&model)) {
    return CheckJoint(asked, *joint);
  }
  const auto* const devs = std::get_if<DevsModel>(&model);
  if (devs == nullptr) {
    return CheckTasks(asked, std::get<ProcessModel>(model));
  }
  if (!asked.plan.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot check plan " + asked.plan + " for " + devs->name() +
                    ": plans are of models of tasks; leave it out");
  }
  return CheckDevs(asked, *devs);
}

}  // namespace orrery::cli
