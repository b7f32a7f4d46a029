#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/drawing/simplify.h"
#include "orrery/plot/figure.h"

namespace orrery::plot::internal {

/// The ranges of a figure's axes.
struct Ranges {
  Range x;
  Range y;
};

/// The ranges of the data, from the least to the greatest value.
[[nodiscard]] Ranges FindRanges(const Figure& figure);

/// True if neither range is `factor` times as long as the other.
[[nodiscard]] bool AreAlike(const Ranges& ranges, double factor);

/// Widens the ranges so that, on `width` by `height` pixels, a unit has the
/// same length in x and y; unchanged if one of them is a hundred times the
/// other.
[[nodiscard]] Ranges WithEqualAspect(Ranges ranges,
                                     double width,
                                     double height);

/// True if a series is drawn with a line, or with dots.
[[nodiscard]] bool HasLine(const Series& series);
[[nodiscard]] bool HasDots(const Series& series);

/// True if a legend adds information to that of the axes.
[[nodiscard]] bool NeedsLegend(const Figure& figure);

/// The colour index of each series; it may exceed the palette's size.
[[nodiscard]] std::vector<std::size_t> ColorsOf(const Figure& figure);

/// Colour and dashes of a series.
struct SeriesLook {
  Color color;
  std::vector<double> dashes;  ///< As in Stroke.
};

/// The look of each series. When the colours are used up, lines differ by
/// dashes.
[[nodiscard]] std::vector<SeriesLook> LooksOf(const Figure& figure);

/// The points of a series, as one line between gaps: a staircase for kStep; a
/// single point for an isolated one.
[[nodiscard]] std::vector<std::vector<Point>> LinesOf(const Series& series);

/// "height [m]", "height", "[m]" or "".
[[nodiscard]] std::string AxisTitle(const Axis& axis);

/// `label` with a typographic minus sign.
[[nodiscard]] std::string WithMinusSign(std::string label);

/// The middle of a tick's label: the tick's `x`, but such that the label is
/// within a picture of `width`.
[[nodiscard]] double LabelMiddle(const std::string& label,
                                 double x,
                                 double width);

/// True if there is a blank between the labels of ticks at `x`.
[[nodiscard]] bool LabelsFit(std::span<const std::string> labels,
                             std::span<const double> x,
                             double width);

}  // namespace orrery::plot::internal
