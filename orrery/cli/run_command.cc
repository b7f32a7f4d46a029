#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
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

Figure FigureOf(const RunCommand& command, const RunResult& result) {
  std::string all;
  for (const std::string& plot : command.plots) {
    all += (all.empty() ? "" : ",") + plot;
  }
  const PlotSpec spec = ParsePlotSpec(all);
  Figure figure = MakeFigure(result.trajectory, spec);
  if (!command.data.empty()) {
    OverlayData(ReadTable(command.data), spec, figure);
  }
  return figure;
}

// Before anything runs: what a plot cannot be made of.
void CheckPlots(const RunCommand& command) {
  if (command.plots.empty() &&
      !(command.figure.empty() && command.data.empty())) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot draw {}: nothing is to be plotted; say "
                    "what by --plot",
                    command.figure.empty() ? command.data : command.figure));
  }
  for (const std::string& plot : command.plots) {
    static_cast<void>(ParsePlotSpec(plot));
  }
}

void WriteFiles(const RunCommand& command, const RunResult& result) {
  for (const std::string& path : command.outputs) {
    WriteTrajectory(path, result.trajectory);
  }
  if (!command.figure.empty()) {
    WritePlot(command.figure, FigureOf(command, result));
  }
}

void PrintPlot(const RunCommand& command, const RunResult& result) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  if (command.plots.empty() || result.trajectory.rows() == 0 ||
      (!command.figure.empty() && !is_terminal)) {
    return;
  }
  fmt::print("{}",
             RenderTerminal(FigureOf(command, result), {.color = is_terminal}));
}

std::shared_ptr<const Program> CompileModel(const RunCommand& command) {
  try {
    return Compile(LoadFile(
        command.file, command.class_name, command.options.settings));
  } catch (const Error& error) {
    if (command.json && !error.diagnostics().empty()) {
      fmt::print("{}", JsonReport(command.file, error.diagnostics()));
    }
    throw;
  }
}

}  // namespace

int Run(const RunCommand& command) {
  CheckPlots(command);
  Timing timing;
  auto begin = Clock::now();
  const auto program = CompileModel(command);
  timing.compile_ms = MillisecondsSince(begin);
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
  WriteFiles(command, result);
  if (command.json) {
    fmt::print("{}", JsonReport(*program, result, timing));
  } else if (!command.quiet) {
    fmt::print("{}", TextReport(result, timing));
    PrintPlot(command, result);
  }
  return result.summary.completed() ? kSuccess : kModelFailed;
}

}  // namespace orrery::cli
