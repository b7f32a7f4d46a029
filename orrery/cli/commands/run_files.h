#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/cli/commands/commands.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {

/// What is read before a run and needed after it.
struct Plans {
  /// Without curves: nothing is plotted, and all stands in a timeline.
  PlotSpec plot;
  std::optional<Table> data;  ///< Measured points to be plotted too.
  /// The rows are runs, not instants: a dot each, unless they are in order.
  bool has_runs_as_rows = false;
  std::vector<std::string> varied = {};  ///< The columns of what varies there.
};

/// Checks all that can be found wrong with plots and files before anything is
/// loaded.
[[nodiscard]] Plans MakePlans(const RunCommand& command);

/// Finds out before a run with these signals whether they can be plotted so,
/// with the measured points in their units.
void CheckPlots(const Plans& plans, const SignalTable& signals);

/// Whether all that is to be plotted is among the signals.
[[nodiscard]] bool HasPlotted(const PlotSpec& spec, const SignalTable& signals);

/// @returns what was written.
std::vector<std::string> WriteFiles(const RunCommand& command,
                                    const Plans& plans,
                                    const Trajectory& run);

/// Plots on the terminal if that is asked for, and not into a timeline.
void PrintPlot(const RunCommand& command,
               const Plans& plans,
               const Trajectory& run);

/// Draws a figure into the file that is named, or on the terminal.
void DrawFigure(const RunCommand& command, Figure figure);

/// Tells why a run was interrupted.
void TellInterrupted(const RunCommand& command, const std::string& message);

}  // namespace orrery::cli
