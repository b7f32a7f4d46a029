#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/figure.h"

namespace orrery::plot::internal {

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

/// Rounds to a half pixel, so that a line of one pixel is sharp.
[[nodiscard]] inline double Crisp(double x) {
  return std::floor(x) + 0.5;
}

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

/// Width of the lines of all series.
inline constexpr double kLineWidth = 1.8;

/// The look of each series. When the colours are used up, lines differ by
/// dashes.
[[nodiscard]] std::vector<SeriesLook> LooksOf(const Figure& figure);

/// The points of a series, as one line between gaps: a staircase for kStep; a
/// single point for an isolated one.
[[nodiscard]] std::vector<std::vector<Point>> LinesOf(const Series& series);

/// "height [m]", "height", "[m]" or "".
[[nodiscard]] std::string AxisTitle(const Axis& axis);

/// Places everything in `width` times `height` pixels (at least 200 by 150):
/// title, legend above the plot (beside it if it needs more than two lines),
/// grid, axes with labels that do not overlap, and the series, without points
/// that cannot be seen.
[[nodiscard]] Drawing MakeDrawing(const Figure& figure,
                                  double width,
                                  double height);

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

/// The frame of a figure in a stack of figures.
struct PanelFrame {
  double left = 0;   ///< Left end of the data, in pixels.
  double right = 0;  ///< Right end of the data, in pixels.
  Range x;           ///< The range of the x axis.
  std::vector<double> x_ticks;
};

/// The least `left` of a frame with room for the figure's y axis.
[[nodiscard]] double PanelLeft(const Figure& figure);

/// Like `MakeDrawing`, with the x axis of the frame, which has ticks but
/// neither labels nor a title. The x of the data lie within it. The plot
/// reaches down to `height`; ticks and half a label go beyond.
[[nodiscard]] Drawing MakePanel(const Figure& figure,
                                double width,
                                double height,
                                const PanelFrame& frame);

}  // namespace orrery::plot::internal
