#include "orrery/cli/commands/run_script.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/cli/terminal/terminal.h"

namespace orrery::cli {
namespace {

// Draws the timeline of the run, if the command asks for one. Adds the file to
// `written`, or returns a text to be printed.
std::string DrawTimeline(const RunCommand& command,
                         const Plans& plans,
                         const RunEngine& engine,
                         std::vector<std::string>& written) {
  const std::optional<std::string>& file = command.tasks.timeline;
  if (!file) {
    return "";
  }
  std::optional<Timeline> timeline = engine.AsTimeline(plans);
  if (!timeline) {
    return "";
  }
  timeline->title = engine.model();
  if (file->empty()) {
    return RenderTimelineTerminal(*timeline, TerminalOfUser());
  }
  WriteTimeline(*file, *timeline);
  written.push_back(*file);
  return "";
}

// Writes files, and prints the results.
void Report(const RunCommand& command,
            const Plans& plans,
            const RunEngine& engine,
            const Trajectory& rows,
            const std::string& json,
            const Course& course) {
  std::vector<std::string> written = engine.WriteRecords(command);
  for (std::string& path : WriteFiles(command, plans, rows)) {
    written.push_back(std::move(path));
  }
  const std::string timeline = DrawTimeline(command, plans, engine, written);
  if (command.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("{}{}",
               command.quiet ? "" : engine.Text(course),
               command.events ? EventReport(engine.events()) : "");
    PrintPlot(command, plans, rows);
    fmt::print("{}", timeline);
  }
  TellTexts(command, engine.profiles());
  TellWritten(command, written);
}

}  // namespace

Ending EndingOf(RunEnd outcome, const std::string& message) {
  return {.status = StatusOf(outcome),
          .message = message,
          .is_completed = outcome == RunEnd::kCompleted};
}

Ending EndingOf(const Summary& summary) {
  return {.status = StatusOf(summary.outcome),
          .message = summary.message,
          .is_completed = summary.completed()};
}

void TellEnd(const RunCommand& command, const Summary& summary) {
  PrintDiagnostics(summary.diagnostics);
  ReportNotices(command.report_fd, summary.diagnostics);
  if (summary.outcome == RunOutcome::kInterrupted) {
    TellInterrupted(command, summary.message);
  }
  if (summary.outcome == RunOutcome::kCompleted && !command.until.empty() &&
      !command.quiet) {
    TellNeverTrue(command);
  }
}

const EventLog& RunEngine::events() const {
  static const EventLog none;
  return none;
}

void PrintHead(const RunCommand& command, const std::string& head) {
  if (!command.json && !command.quiet) {
    fmt::print("{}", head);
    std::fflush(stdout);
  }
}

int CarryOutRun(const RunCommand& given, RunEngine& engine) {
  RunCommand asked = given;
  RunCommand command = given;
  engine.ReadTexts(command);
  CheckLive(command);
  command.quiet = command.quiet || PrintsJsonLines(command);
  engine.CheckOptions(command);
  const Plans plans = MakePlans(command);
  engine.Make(asked, command, plans);

  std::optional<LiveSession> live;
  if (IsLive(command) ||
      (IsShownMeanwhile(command) && engine.HasRowsMeanwhile(command))) {
    live.emplace(engine.OpenLive(command), command);
  }
  engine.Announce(command);
  // Until all files are written: the first Ctrl-C leaves the results so far
  // whole, a second one ends the command.
  const InterruptGuard guard;
  SavedExperiment saved(asked, engine.model());
  engine.BeginRecords(saved);
  const Stopwatch watch;
  if (live) {
    engine.Run(*live, saved);
  } else {
    engine.Run(command);
  }
  const Course course{.run_ms = watch.Milliseconds(),
                      .lag = live ? live->lag() : std::nullopt};

  engine.TellEnd(command);
  const Trajectory& rows = engine.Rows(
      saved.is_saved() || !command.outputs.empty() || !command.plots.empty());
  const std::string json = command.json || saved.is_saved()
                               ? engine.Json(command, course)
                               : std::string();
  if (live) {
    live->TakeDown(saved);
  }
  engine.KeepRecords(command, saved);
  const Ending ending = engine.ending();
  saved.Finish(
      rows,
      engine.events(),
      {.status = ending.status, .message = ending.message, .summary = json});
  Report(command, plans, engine, rows, json, course);
  return ending.is_completed ? kSuccess : kModelFailed;
}

}  // namespace orrery::cli
