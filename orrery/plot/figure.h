#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// How a series is drawn.
enum class SeriesStyle : std::uint8_t {
  kLine,           ///< Straight from point to point.
  kPoints,         ///< A dot at each point.
  kLineAndPoints,  ///< Both.
  kStep,           ///< Level from each point to the next, then straight up.
};

/// Points (x[i], y[i]) under one name. Where either is not finite the line has
/// a gap.
struct Series {
  /// The `color` of a series that takes the next one of the palette.
  static constexpr int kNextColor = -1;

  std::string label;
  std::vector<double> x;
  std::vector<double> y;  ///< As long as `x`.
  SeriesStyle style = SeriesStyle::kLine;

  /// An index into the palette; two series may share one, as a model's curve
  /// and the data measured of it do.
  int color = kNextColor;
};

/// What an axis shows: "height [m]". Either may be empty.
struct Axis {
  std::string label;
  std::string unit;
  bool is_logarithmic = false;  ///< What is not above zero leaves a gap.
};

/// What a plot shows, without a word on how: the renderers draw the same
/// figure on a terminal, as SVG and as PNG.
struct Figure {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;

  /// Whether one unit is as long upwards as sideways, so that a circle is
  /// round. Ignored where that would squeeze the plot beyond 1:100.
  bool equal_aspect = false;
};

}  // namespace orrery
