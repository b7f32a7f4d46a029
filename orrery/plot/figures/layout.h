#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/figure.h"

namespace orrery::internal {

/// A part of a drawing, in pixels; y grows downwards.
struct Rectangle {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  [[nodiscard]] double width() const { return right - left; }

  [[nodiscard]] double height() const { return bottom - top; }

  /// Half way from top to bottom.
  [[nodiscard]] double middle() const { return (top + bottom) / 2; }

  [[nodiscard]] std::vector<Point> Outline() const {
    return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  }
};

/// On half pixels, so that a line of one pixel is sharp.
[[nodiscard]] inline double Crisp(double x) {
  return std::floor(x) + 0.5;
}

/// The ranges of a figure's axes.
struct Ranges {
  Range x;
  Range y;
};

/// What the data span, from their first to their last value.
[[nodiscard]] Ranges FindRanges(const Figure& figure);

/// Whether neither of the ranges is `factor` times as long as the other.
[[nodiscard]] bool AreAlike(const Ranges& ranges, double factor);

/// The ranges widened so that on `width` by `height` pixels one unit is as long
/// in x as in y; unchanged if one of them is a hundred times the other.
[[nodiscard]] Ranges WithEqualAspect(Ranges ranges,
                                     double width,
                                     double height);

/// Whether a series is drawn with a line; whether with dots.
[[nodiscard]] bool HasLine(const Series& series);
[[nodiscard]] bool HasDots(const Series& series);

/// Whether a legend says more than the axes do.
[[nodiscard]] bool NeedsLegend(const Figure& figure);

/// The colour of each series: an index that counts on past the palette's end.
[[nodiscard]] std::vector<std::size_t> ColorsOf(const Figure& figure);

/// How a series is drawn.
struct SeriesLook {
  Color color;
  std::vector<double> dashes;  ///< As of a stroke.
};

inline constexpr double kLineWidth = 1.8;  ///< Of all series.

/// The look of each series: once the colours are used up, dashes tell the lines
/// apart.
[[nodiscard]] std::vector<SeriesLook> LooksOf(const Figure& figure);

/// The points of a series, a line each for what its gaps leave: a staircase
/// for kStep, single points for what stands alone.
[[nodiscard]] std::vector<std::vector<Point>> LinesOf(const Series& series);

/// "height [m]", "height", "[m]" or "".
[[nodiscard]] std::string AxisTitle(const Axis& axis);

/// Places everything in `width` times `height` pixels (at least 200 by 150):
/// title, legend above the plot (beside it where it needs more than two
/// lines), grid, axes with labels that do not overlap, and the series, with no
/// more points than are seen.
[[nodiscard]] Drawing MakeDrawing(const Figure& figure,
                                  double width,
                                  double height);

/// `label` with the sign that print uses for minus.
[[nodiscard]] std::string WithMinusSign(std::string label);

/// Where the middle of a tick's label stands: at the tick's `x`, but within a
/// picture of `width`.
[[nodiscard]] double LabelMiddle(const std::string& label,
                                 double x,
                                 double width);

/// Whether the labels of ticks at `x` leave a blank between each other.
[[nodiscard]] bool LabelsFit(std::span<const std::string> labels,
                             std::span<const double> x,
                             double width);

/// Where a figure is drawn among others above each other.
struct PanelFrame {
  double left = 0;   ///< Of the data, in pixels.
  double right = 0;  ///< Likewise.
  Range x;           ///< What the x axis spans.
  std::vector<double> x_ticks;
};

/// The least `left` of a frame that leaves the figure's y axis its room.
[[nodiscard]] double PanelLeft(const Figure& figure);

/// As `MakeDrawing`, with the x axis of the frame, which has ticks but neither
/// labels nor a title; the data's x lie within it. The plot reaches down to
/// `height`, ticks and half a label stand out.
[[nodiscard]] Drawing MakePanel(const Figure& figure,
                                double width,
                                double height,
                                const PanelFrame& frame);

}  // namespace orrery::internal
