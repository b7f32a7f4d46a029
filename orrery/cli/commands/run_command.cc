#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/commands.h"
#include "orrery/cli/commands/model_warnings.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/live/live_session.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/run_reports/reports.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/live/live_equations.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

RunResult RunWatched(const std::shared_ptr<const Program>& program,
                     const RunCommand& command) {
  ProgressBar bar(!command.quiet && !command.json);
  return Simulate(program, command.options, [&](const Progress& progress) {
    bar.Show(progress);
    return InterruptGuard::goes_on();
  });
}

// Returns the output times and the published quantities of a live run.
LiveEquations::Options LookOptions(const Program& program,
                                   const RunCommand& command) {
  const double interval = Resolve(command.options, program.experiment).interval;
  return {.period = LookPeriod(command, interval),
          .shown = command.live_choices.published};
}

// Returns the command with its texts parsed.
RunCommand Parsed(const RunCommand& command) {
  RunCommand parsed = command;
  const std::vector<Setting> settings = SettingsOf(
      command.settings, command.file, command.class_name, command.files);
  parsed.options.settings.insert(
      parsed.options.settings.end(), settings.begin(), settings.end());
  return parsed;
}

// Prints the results of a run.
void PrintResult(const RunCommand& command,
                 const Plans& plans,
                 const RunResult& result,
                 const RunTiming& timing,
                 const std::optional<LagReport>& lag) {
  fmt::print("{}{}{}",
             command.quiet ? "" : TextReport(result, timing),
             command.quiet ? "" : LagLine(lag),
             command.events ? EventReport(result.events) : "");
  PrintPlot(command, plans, result.trajectory);
  std::fflush(stdout);
}

}  // namespace

int Run(const RunCommand& given) {
  if (given.model) {
    return Run(given, *given.model);
  }
  if (IsPlugin(given.file)) {
    return Run(given, LoadPlugin(given.file));
  }
  RunCommand asked = given;
  RunCommand command = Parsed(asked);
  CheckLive(command);
  command.quiet = command.quiet || PrintsJsonLines(command);
  const Plans plans = MakePlans(command);
  RunTiming timing;
  Stopwatch watch;
  const auto program = Compile(LoadFile(command.file,
                                        command.class_name,
                                        command.options.settings,
                                        command.files),
                               {},
                               command.until);
  timing.compile_ms = watch.Milliseconds();
  if (!plans.plot.curves.empty()) {
    CheckPlots(plans, *RecordedSignals(*program, command.options));
  }
  PrintModelWarnings(program->warnings, command.library_warnings);
  if (!command.json && !command.quiet) {
    fmt::print("{}", HeadLine(*program, timing));
    std::fflush(stdout);
  }

  if (!asked.input.empty() && asked.input == asked.data) {
    asked.input_columns = program->input_names;
  }
  command.options.inputs = InputsOf(DocumentOf(asked));
  CheckOptions(*program, command.options);  // Before saving: refused commands
                                            // are not saved.
  PrintDiagnostics(WhereInputsAreHeld(*program, command.options));
  std::optional<LiveEquations> run;
  std::optional<LiveSession> live;
  if (IsLive(command)) {
    run.emplace(program, command.options, LookOptions(*program, command));
    live.emplace(*run, command);
  }
  const InterruptGuard guard;  // The results so far are also saved.
  SavedExperiment saved(asked, program->name);
  watch = {};
  const RunResult result =
      live ? CarryOut(*run, *live, saved) : RunWatched(program, command);
  timing.run_ms = watch.Milliseconds();
  const std::optional<LagReport> lag = live ? live->lag() : std::nullopt;

  PrintDiagnostics(result.summary.diagnostics);
  if (result.summary.outcome == RunOutcome::kInterrupted) {
    TellInterrupted(command, result.summary.message);
  }
  const std::string summary =
      command.json || saved.is_saved()
          ? JsonReport(*program,
                       result,
                       timing,
                       command.events ? ReportedEvents::kWith
                                      : ReportedEvents::kWithout,
                       lag)
          : std::string();
  if (live) {
    live->TakeDown(saved);
  }
  saved.Finish(result.trajectory,
               result.events,
               {.status = StatusOf(result.summary.outcome),
                .message = result.summary.message,
                .summary = summary});
  const std::vector<std::string> written =
      WriteFiles(command, plans, result.trajectory);
  if (command.json) {
    fmt::print("{}", summary);
  } else {
    PrintResult(command, plans, result, timing, lag);
  }
  TellWritten(command, written);
  return result.summary.completed() ? kSuccess : kModelFailed;
}

}  // namespace orrery::cli
