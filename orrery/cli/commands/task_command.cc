#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/commands.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/live/live_session.h"
#include "orrery/cli/run_reports/check_reports.h"
#include "orrery/cli/run_reports/devs_reports.h"
#include "orrery/cli/run_reports/task_reports.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/live/live_tasks.h"
#include "orrery/sdk/process_timeline.h"

namespace orrery::cli {
namespace {

ProcessRunOptions OptionsOfTasks(const RunCommand& command) {
  const TaskChoices& tasks = command.tasks;
  ProcessRunOptions options = ProcessOptionsOf(DocumentOf(command));
  options.engine.records.spans =
      !tasks.plan.empty() || !tasks.spans.empty() || tasks.timeline;
  options.engine.records.events = !tasks.event_log.empty();
  return options;
}

// The run finds out if a resource is a number.
void CheckPlotNames(const PlotSpec& spec,
                    const std::string& model,
                    const std::vector<std::string>& resources) {
  const auto check = [&](const std::string& name) {
    if (name == "time" ||
        std::ranges::find(resources, name) != resources.end()) {
      return;
    }
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot plot '{}': model {} has no resource of "
                            "this name{}",
                            name,
                            model,
                            Clause(Suggest(name, resources))));
  };
  for (const PlotSpec::Curve& curve : spec.curves) {
    check(curve.x);
    check(curve.y);
  }
}

void CheckFiles(const RunCommand& command,
                const std::string& model,
                const std::vector<std::string>& resources) {
  CheckRecordFiles(command.tasks);
  if (!command.outputs.empty() && resources.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot write {}: model {} has no resources; give "
                            "it some, or write its tasks by --spans",
                            command.outputs.front(),
                            model));
  }
}

ProcessRunResult RunWatched(const RunCommand& command, ProcessRun& run) {
  const InterruptGuard guard;
  ProgressBar bar(!command.quiet && !command.json);
  return run.Run(Watched(bar, run.start()));
}

void TellHead(const RunCommand& command, const ProcessHead& head) {
  PrintDiagnostics(head.warnings);
  if (!command.json && !command.quiet) {
    fmt::print("{}", TaskHeadLine(head));
    std::fflush(stdout);
  }
}

Timeline TimelineOf(const Plans& plans,
                    const std::string& model,
                    const ProcessRun& run,
                    Duration end) {
  Timeline timeline =
      ToTimeline(run.recording(), run.start(), end, PlottedNames(plans.plot));
  timeline.title = model;
  return timeline;
}

}  // namespace

int RunTasks(const RunCommand& asked, const ProcessModel& model) {
  CheckLive(asked);
  CheckEndFits(asked);
  RunCommand command = asked;
  command.quiet = command.quiet || PrintsJsonLines(command);
  RefuseGiven(command, kOfEquations, "models of equations");
  RefuseGiven(command, kOfDevs, "DEVS models");
  RefuseGiven(
      command, std::array{"--input"}, "DEVS models and models of equations");
  const Plans plans = MakePlans(command);
  ProcessRun run(model, OptionsOfTasks(command));
  const std::vector<std::string> resources = run.resources();
  CheckFiles(command, model.name(), resources);
  CheckPlotNames(plans.plot, model.name(), resources);
  const ProcessHead head{.model = model.name(),
                         .size = run.size(),
                         .planned = run.num_planned(),
                         .parameters = run.parameters().declared(),
                         .warnings = run.warnings()};
  TellHead(command, head);

  std::optional<LiveTasks> live_run;
  std::optional<LiveSession> live;
  if (IsLive(command)) {
    live_run.emplace(
        run,
        LiveTasks::Options{.period = LookPeriod(command, 0),
                           .shown = command.live_choices.published});
    live.emplace(*live_run, command);
  }
  SavedExperiment saved(asked, model.name());
  const Stopwatch watch;
  const ProcessRunResult result =
      live ? CarryOut(*live_run, *live, saved) : RunWatched(command, run);
  const double run_ms = watch.Milliseconds();
  const std::optional<LagReport> lag = live ? live->lag() : std::nullopt;

  TellWarnings(command, result.warnings);
  TellEnd(command, result.outcome, result.message);
  const process::Recording& recording = run.recording();
  Trajectory profiles;
  if (saved.is_saved() || !command.outputs.empty() || !command.plots.empty()) {
    profiles = ToTrajectory(recording.profiles, run.start(), result.end);
  }
  const std::string summary =
      JsonReport(head, result, recording.spans, run_ms, lag);
  if (live) {
    live->TakeDown(saved);
  }
  saved.Finish(profiles,
               {},
               {.status = StatusOf(result.outcome),
                .message = result.message,
                .summary = summary});
  std::vector<std::string> written =
      WriteRecords(command.tasks, recording.spans, recording.events);
  for (std::string& path : WriteFiles(command, plans, profiles)) {
    written.push_back(std::move(path));
  }
  std::string timeline;
  if (command.tasks.timeline) {
    timeline = DrawTimeline(*command.tasks.timeline,
                            TimelineOf(plans, model.name(), run, result.end));
    if (!command.tasks.timeline->empty()) {
      written.push_back(*command.tasks.timeline);
    }
  }
  if (command.json) {
    fmt::print("{}", summary);
  } else {
    fmt::print("{}",
               command.quiet
                   ? ""
                   : TaskTextReport(result, recording.spans, run_ms, lag));
    PrintPlot(command, plans, profiles);
    fmt::print("{}", timeline);
  }
  TellTexts(command, recording.profiles);
  TellWritten(command, written);
  return result.outcome == RunEnd::kCompleted ? kSuccess : kModelFailed;
}

int CheckTasks(const CheckCommand& asked, const ProcessModel& model) {
  const ProcessRun run(
      model,
      ProcessOptionsOf(
          {.settings = ParameterTexts(asked.settings), .plan = asked.plan}));
  PrintDiagnostics(run.warnings());
  if (asked.json) {
    fmt::print("{}", ModelReport(model.name(), run));
    return kSuccess;
  }
  fmt::print("{}: correct\n", model.name());
  const ProcessModelParts parts = PartsOf(run.root());
  PrintCells(parts);
  if (run.stop()) {
    fmt::print("  ends at t = {} if --stop says nothing else\n",
               ToText(*run.stop()));
  }
  const auto parameters = run.parameters().declared();
  if (!parameters.empty()) {
    fmt::print("parameters\n{}", ParameterList(parameters));
  }
  PrintActivities(parts);
  if (!asked.plan.empty()) {
    fmt::print("{}: correct, {} planned\n", asked.plan, run.num_planned());
  }
  return kSuccess;
}

}  // namespace orrery::cli
