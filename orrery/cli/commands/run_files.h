#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {

/// Plots and files that are read before a run and needed after it.
struct Plans {
  /// Without curves if there is no plot, or all signals are in a timeline.
  PlotSpec plot;
  std::optional<Table> data;  ///< Measured points to plot, too.
  /// The rows are runs, not times: a dot each, unless they are in order.
  bool has_runs_as_rows = false;
  std::vector<std::string> varied = {};  ///< The columns of the varied
                                         ///< quantities.
};

/// Checks plots and files as far as possible before loading the model.
[[nodiscard]] Plans MakePlans(const RunCommand& command);

/// Checks before a run that these signals can be plotted, with the measured
/// points in their units.
void CheckPlots(const Plans& plans, const SignalTable& signals);

/// Checks before a run the names of what a plot shows, other than `time`.
/// @param why_not returns why there is no such name; empty if there is.
/// @throws Error kInvalidArgument
void CheckPlotted(
    const PlotSpec& spec,
    const std::function<std::string(const std::string& name)>& why_not);

/// True if all plotted names are among the signals.
[[nodiscard]] bool HasPlotted(const PlotSpec& spec, const SignalTable& signals);

/// @returns the names of the written files.
std::vector<std::string> WriteFiles(const RunCommand& command,
                                    const Plans& plans,
                                    const Trajectory& run);

/// Prints the requested plot on the terminal, unless it goes into a timeline.
void PrintPlot(const RunCommand& command,
               const Plans& plans,
               const Trajectory& run);

/// Draws a figure into the named file, or on the terminal.
void DrawFigure(const RunCommand& command, Figure figure);

/// Tells why a run was interrupted.
void TellInterrupted(const RunCommand& command, const std::string& message);

/// Tells that the condition to end a run did not come to hold.
void TellNeverTrue(const RunCommand& command);

}  // namespace orrery::cli
