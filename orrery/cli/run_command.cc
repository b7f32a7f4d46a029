#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/progress_bar.h"
#include "orrery/cli/internal/reports.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

// A signal handler can reach nothing else.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interrupted = 0;

extern "C" void HandleInterrupt(int /*signal*/) {
  interrupted = 1;
}

// While it lives, the first interrupt from the keyboard is noted; a second one
// ends the program.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action {};

    action.sa_handler = HandleInterrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, &before_);
  }

  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  ~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }

  [[nodiscard]] static bool is_interrupted() { return interrupted != 0; }

 private:
  struct sigaction before_ {};
};

RunResult RunWatched(const std::shared_ptr<const Program>& program,
                     const RunCommand& command) {
  const InterruptGuard guard;
  ProgressBar bar(!command.quiet && !command.json);
  return Simulate(program, command.options, [&](const Progress& progress) {
    bar.Show(progress);
    return !InterruptGuard::is_interrupted();
  });
}

// What is read before a run and needed after it.
struct Plans {
  PlotSpec plot;              // Without curves: nothing is plotted.
  std::optional<Table> data;  // Measured points to be plotted too.
};

PlotSpec ParsePlots(const RunCommand& command) {
  std::string all;
  for (const std::string& plot : command.plots) {
    all += (all.empty() ? "" : ",") + plot;
  }
  return all.empty() ? PlotSpec{} : ParsePlotSpec(all);
}

// All that can be found wrong with plots and files before anything is loaded.
Plans MakePlans(const RunCommand& command) {
  const bool is_plotted = !command.plots.empty();
  if (!is_plotted && !(command.figure.empty() && command.data.empty())) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot draw {}: nothing is to be plotted; say "
                    "what by --plot",
                    command.figure.empty() ? command.data : command.figure));
  }
  if (is_plotted && command.json && command.figure.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot plot on the terminal: --json leaves it to the JSON "
                "object; give a file by --figure");
  }
  Plans plans;
  plans.plot = ParsePlots(command);
  if (!command.data.empty()) {
    plans.data = ReadTable(command.data);
    CheckOverlay(*plans.data, plans.plot);
  }
  for (const std::string& path : command.outputs) {
    CheckTrajectoryFile(path);
  }
  if (!command.figure.empty()) {
    CheckPlotFile(command.figure);
  }
  return plans;
}

Figure FigureOf(const Plans& plans, const RunResult& result) {
  Figure figure = MakeFigure(result.trajectory, plans.plot);
  if (plans.data) {
    OverlayData(*plans.data, plans.plot, figure);
  }
  return figure;
}

// @returns what was written.
std::vector<std::string> WriteFiles(const RunCommand& command,
                                    const Plans& plans,
                                    const RunResult& result) {
  std::vector<std::string> written = command.outputs;
  for (const std::string& path : command.outputs) {
    WriteTrajectory(path, result.trajectory);
  }
  if (!command.figure.empty()) {
    WritePlot(command.figure, FigureOf(plans, result));
    written.push_back(command.figure);
  }
  return written;
}

void PrintPlot(const RunCommand& command,
               const Plans& plans,
               const RunResult& result) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  if (command.plots.empty() || result.trajectory.rows() == 0 ||
      (!command.figure.empty() && (!is_terminal || command.quiet))) {
    return;
  }
  fmt::print("{}",
             RenderTerminal(FigureOf(plans, result), {.color = is_terminal}));
}

}  // namespace

int Run(const RunCommand& command) {
  const Plans plans = MakePlans(command);
  Timing timing;
  auto begin = Clock::now();
  const auto program = Compile(
      LoadFile(command.file, command.class_name, command.options.settings),
      {},
      command.until);
  timing.compile_ms = MillisecondsSince(begin);
  CheckPlot(plans.plot, *RecordedSignals(*program, command.options));
  fmt::print(stderr, "{}", Render(program->warnings));
  if (!command.json && !command.quiet) {
    fmt::print("{}", HeadLine(*program, timing));
    std::fflush(stdout);
  }

  RunCommand full = command;
  if (!command.input.empty()) {
    full.options.inputs =
        std::make_shared<const Table>(ReadTable(command.input));
  }
  begin = Clock::now();
  const RunResult result = RunWatched(program, full);
  timing.run_ms = MillisecondsSince(begin);

  fmt::print(stderr, "{}", Render(result.summary.diagnostics));
  if (result.summary.outcome == RunOutcome::kInterrupted) {
    fmt::print(stderr,
               "orrery: {}; the results up to there are kept\n",
               result.summary.message);
  }
  const std::vector<std::string> written = WriteFiles(command, plans, result);
  if (command.json) {
    fmt::print(
        "{}",
        JsonReport(*program,
                   result,
                   timing,
                   command.events ? EventList::kWith : EventList::kWithout));
  } else {
    fmt::print("{}{}",
               command.quiet ? "" : TextReport(result, timing),
               command.events ? EventReport(result.events) : "");
    PrintPlot(command, plans, result);
    std::fflush(stdout);
  }
  if (!command.quiet && !written.empty()) {
    fmt::print(stderr, "wrote {}\n", fmt::join(written, ", "));
  }
  return result.summary.completed() ? kSuccess : kModelFailed;
}

}  // namespace orrery::cli
