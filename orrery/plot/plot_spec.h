#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/plot/figure.h"
#include "orrery/results/csv.h"
#include "orrery/results/trajectory.h"

namespace orrery {

/// The curves to plot, as given on the command line: `a,b` (over time) or
/// `x:y,u:v` (phase plots). Plain data.
struct PlotSpec {
  /// A curve: `y` over `x`; `time` is the time.
  struct Curve {
    std::string x = "time";
    std::string y;

    friend bool operator==(const Curve&, const Curve&) = default;
  };

  std::vector<Curve> curves;

  friend bool operator==(const PlotSpec&, const PlotSpec&) = default;
};

/// Parses `a,b` or `x:y,u:v`. Commas and colons within brackets (`m[1,2]`),
/// parentheses (`der(x)`) and single quotes belong to the name.
/// @throws Error kInvalidArgument if a name is missing, brackets do not match
///     or curves over time and phase plots are mixed.
[[nodiscard]] PlotSpec ParsePlotSpec(std::string_view text);

/// Checks before a run that its result can be plotted so.
/// @throws Error kInvalidArgument that suggests the nearest signal.
void CheckPlot(const PlotSpec& spec, const SignalTable& signals);

/// Checks that measured data can be added to it.
/// @throws Error as `OverlayData` does.
void CheckOverlay(const Table& data, const PlotSpec& spec);

/// The figure of `spec`. Discrete signals are steps. A curve with few rows is
/// refined between them (`Signal::at`), to be smooth. A phase plot has equal
/// axes if all its signals have one unit, or none, and neither axis is four
/// times as long as the other.
/// @param title may be empty.
/// @throws Error kInvalidArgument that suggests the nearest signal.
[[nodiscard]] Figure MakeFigure(const Trajectory& run,
                                const PlotSpec& spec,
                                std::string title = {});

/// Adds measured data to the figure of `spec` as dots, in the colours of the
/// curves: for each curve whose signals are columns of `data`. The time column
/// is the one called `time`, else the first.
///
/// @param figure made by `MakeFigure` of the same `spec`.
/// @throws Error kInvalidArgument if `data` has the columns of no curve.
void OverlayData(const Table& data, const PlotSpec& spec, Figure& figure);

}  // namespace orrery
