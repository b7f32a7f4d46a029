#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// The ways to draw a series.
enum class SeriesStyle : std::uint8_t {
  kLine,           ///< Straight lines between points.
  kPoints,         ///< A dot at each point.
  kLineAndPoints,  ///< Lines and dots.
  kStep,           ///< Constant from each point to the next, then vertical.
};

/// Points (x[i], y[i]) under one name. The line has a gap where x or y is not
/// finite.
struct Series {
  /// The `color` of a series that takes the next colour of the palette.
  static constexpr int kNextColor = -1;

  std::string label;
  std::vector<double> x;
  std::vector<double> y;  ///< As long as `x`.
  SeriesStyle style = SeriesStyle::kLine;

  /// An index into the palette. Two series may share one, such as a model's
  /// curve and its measured data.
  int color = kNextColor;
};

/// The text of an axis: "height [m]". Either part may be empty.
struct Axis {
  std::string label;
  std::string unit;
  bool is_logarithmic = false;  ///< Values of zero or less leave a gap.
};

/// The content of a plot, without its form: the renderers draw the same figure
/// on a terminal, as SVG and as PNG.
struct Figure {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;

  /// True if a unit has the same length in x and y, so that a circle is round.
  /// Ignored if that would squeeze the plot beyond 1:100.
  bool equal_aspect = false;
};

}  // namespace orrery
