#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
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
#include "orrery/cli/run_reports/joint_reports.h"
#include "orrery/cli/run_reports/reports.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/live/live_timeline.h"
#include "orrery/sdk/process_timeline.h"

namespace orrery::cli {
namespace {

JointRunOptions OptionsOfJoint(const RunCommand& command) {
  const TaskChoices& tasks = command.tasks;
  JointRunOptions options = JointOptionsOf(DocumentOf(command));
  process::Records& records = options.timeline.tasks.records;
  records.spans = !tasks.plan.empty() || !tasks.spans.empty() || tasks.timeline;
  records.events = !tasks.event_log.empty();
  return options;
}

void RefuseOfOthers(const RunCommand& command) {
  RefuseGiven(command, kOfDevs, "DEVS models");
  RefuseGiven(
      command, std::array{"--start"}, "models of equations and of tasks");
  RefuseGiven(command, std::array{"--until"}, "models of equations in files");
}

// Refuses options for equations if there are none.
void RefuseOfEquations(const RunCommand& command, const std::string& model) {
  for (const std::string& option : command.given) {
    if (option == "--input" ||
        std::ranges::find(kOfEquations, option) != kOfEquations.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot take {} for {}: it has no equations; "
                              "leave it out",
                              option,
                              model));
    }
  }
}

void CheckOutputs(const RunCommand& command, const JointRun& run) {
  CheckRecordFiles(command.tasks);
  if (!command.outputs.empty() && run.signals().signals().empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot write {}: there are no equations and no "
                            "resources; add some, or write the tasks by "
                            "--spans",
                            command.outputs.front()));
  }
}

JointRunResult RunWatched(const RunCommand& command, JointRun& run) {
  const InterruptGuard guard;
  ProgressBar bar(!command.quiet && !command.json);
  return run.Run([&](const Progress& progress) {
    if (run.stop() && run.stop()->value > 0) {
      bar.Show(progress);
    }
    return InterruptGuard::goes_on();
  });
}

// The interval of the rows of the results; 0 without equations.
double IntervalOf(const JointRun& run) {
  const Program* const program = run.root().equations();
  return program == nullptr
             ? 0
             : Resolve(run.timeline_options().equations, program->experiment)
                   .interval;
}

void Tell(const RunCommand& command, const TimelineResult& run) {
  TellWarnings(command, run.warnings);
  PrintDiagnostics(run.summary.diagnostics);
  if (run.summary.outcome == RunOutcome::kInterrupted) {
    TellInterrupted(command, run.summary.message);
  }
}

Timeline TimelineOf(const Plans& plans,
                    const std::string& model,
                    const TimelineResult& run) {
  Timeline timeline = ToTimeline(run, PlottedNames(plans.plot));
  timeline.title = model;
  return timeline;
}

// The duration of a run, and its lag if it kept pace with the clock.
struct Course {
  double run_ms = 0;
  std::optional<LagReport> lag;
};

// Writes the results of a run to files and to the terminal.
void Report(const RunCommand& command,
            const Plans& plans,
            const JointHead& head,
            const JointRunResult& result,
            const Course& course,
            SavedExperiment& saved) {
  const TimelineResult& run = result.run;
  Trajectory trajectory;
  if (saved.is_saved() || !command.outputs.empty() || !command.plots.empty()) {
    trajectory = ToTrajectory(run);
  }
  const std::string summary = JsonReport(
      head,
      result,
      course.run_ms,
      command.events ? ReportedEvents::kWith : ReportedEvents::kWithout,
      course.lag);
  saved.Finish(trajectory,
               run.events,
               {.status = StatusOf(run.summary.outcome),
                .message = run.summary.message,
                .summary = summary});
  std::vector<std::string> written =
      WriteRecords(command.tasks, run.recording.spans, run.commits);
  for (std::string& path : WriteFiles(command, plans, trajectory)) {
    written.push_back(std::move(path));
  }
  std::string timeline;
  if (const auto& file = command.tasks.timeline) {
    timeline = DrawTimeline(*file, TimelineOf(plans, head.model, run));
    if (!file->empty()) {
      written.push_back(*file);
    }
  }
  if (command.json) {
    fmt::print("{}", summary);
  } else {
    fmt::print("{}{}",
               command.quiet
                   ? ""
                   : JointTextReport(head, result, course.run_ms, course.lag),
               command.events ? EventReport(run.events) : "");
    PrintPlot(command, plans, trajectory);
    fmt::print("{}", timeline);
  }
  TellTexts(command, run.recording.profiles);
  TellWritten(command, written);
}

}  // namespace

int RunJoint(const RunCommand& asked, const JointModel& model) {
  CheckLive(asked);
  RunCommand command = asked;
  command.quiet = command.quiet || PrintsJsonLines(command);
  RefuseOfOthers(command);
  const Plans plans = MakePlans(command);
  Stopwatch watch;
  JointRun run(model, OptionsOfJoint(command));
  const Program* const program = run.root().equations();
  if (program == nullptr) {
    RefuseOfEquations(command, command.model ? model.name() : command.file);
  }
  CheckOutputs(command, run);
  CheckPlots(plans, run.signals());
  const JointHead head{.model = model.name(),
                       .size = run.size(),
                       .planned = run.num_planned(),
                       .parameters = run.parameters().declared(),
                       .make_ms = watch.Milliseconds()};
  if (program != nullptr) {
    PrintDiagnostics(program->warnings);
  }
  if (!command.json && !command.quiet) {
    fmt::print("{}", JointHeadLine(head));
    std::fflush(stdout);
  }

  std::optional<LiveTimeline> live_run;
  std::optional<LiveSession> live;
  if (IsLive(command)) {
    live_run.emplace(
        run,
        LiveTimeline::Options{.period = LookPeriod(command, IntervalOf(run)),
                              .shown = command.live_choices.published});
    live.emplace(*live_run, command);
  }
  SavedExperiment saved(asked, model.name());
  watch = {};
  const JointRunResult result =
      live ? CarryOut(*live_run, *live, saved) : RunWatched(command, run);
  const Course course{.run_ms = watch.Milliseconds(),
                      .lag = live ? live->lag() : std::nullopt};

  Tell(command, result.run);
  if (live) {
    live->TakeDown(saved);
  }
  Report(command, plans, head, result, course, saved);
  return result.run.summary.completed() ? kSuccess : kModelFailed;
}

int CheckJoint(const CheckCommand& asked, const JointModel& model) {
  const JointRun run(model,
                     JointOptionsOf({.settings = ParameterTexts(asked.settings),
                                     .plan = asked.plan}));
  const JointModelSize& size = run.size();
  if (const Program* const program = run.root().equations()) {
    PrintDiagnostics(program->warnings);
  }
  PrintDiagnostics(run.warnings());
  if (asked.json) {
    fmt::print("{}", ModelReport(model.name(), run));
    return kSuccess;
  }
  fmt::print("{}: correct\n", model.name());
  if (!size.equations.empty()) {
    fmt::print("  equations of {}: {}, {}\n",
               size.equations,
               Counted(size.states, "state", "states"),
               Counted(size.inputs, "input", "inputs"));
  }
  devs::ForEachCoupled(run.root().devs_models(), [](const auto& coupled) {
    for (const auto& part : coupled.parts()) {
      if (part->ops() != nullptr) {
        fmt::print("  atomic model {}\n", part->Path());
      }
    }
  });
  const ProcessModelParts parts = PartsOf(run.root().task_models());
  PrintCells(parts);
  if (run.stop()) {
    fmt::print("  ends at t = {} if --stop says nothing else\n",
               ToText(ToDuration(run.stop()->value)));
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
