#pragma once

#include <cmath>
#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/drawing/simplify.h"
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

/// Width of the lines of all series.
inline constexpr double kLineWidth = 1.8;

/// Places everything in `width` times `height` pixels (at least 200 by 150):
/// title, legend above the plot (beside it if it needs more than two lines),
/// grid, axes with labels that do not overlap, and the series, without points
/// that cannot be seen.
[[nodiscard]] Drawing MakeDrawing(const Figure& figure,
                                  double width,
                                  double height);

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
