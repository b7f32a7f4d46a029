#include "orrery/cli/internal/run_files.h"

#include <unistd.h>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::cli {
namespace {

PlotSpec ParsePlots(const RunCommand& command) {
  std::string all;
  for (const std::string& plot : command.plots) {
    all += (all.empty() ? "" : ",") + plot;
  }
  return all.empty() ? PlotSpec{} : ParsePlotSpec(all);
}

Figure FigureOf(const Plans& plans, const Trajectory& run) {
  Figure figure = MakeFigure(run, plans.plot);
  if (plans.data) {
    OverlayData(*plans.data, plans.plot, figure);
  }
  return figure;
}

}  // namespace

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

std::vector<std::string> WriteFiles(const RunCommand& command,
                                    const Plans& plans,
                                    const Trajectory& run) {
  std::vector<std::string> written = command.outputs;
  for (const std::string& path : command.outputs) {
    WriteTrajectory(path, run);
  }
  if (!command.figure.empty()) {
    WritePlot(command.figure, FigureOf(plans, run));
    written.push_back(command.figure);
  }
  return written;
}

void PrintPlot(const RunCommand& command,
               const Plans& plans,
               const Trajectory& run) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  if (command.plots.empty() || run.rows() == 0 ||
      (!command.figure.empty() && (!is_terminal || command.quiet))) {
    return;
  }
  fmt::print("{}",
             RenderTerminal(FigureOf(plans, run), {.color = is_terminal}));
}

}  // namespace orrery::cli
