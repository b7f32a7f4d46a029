#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery {

/// A part of time, and the number of pixels that it is drawn on. Plain data.
struct DrawnRange {
  double from = 0;  ///< s, included, as is `to`.
  double to = 0;
  std::size_t pixels = 1;  ///< At least 1.
};

/// The rows of some signals that a plot of this width needs, in their order:
/// for each column of pixels the first row and the last one and, for each
/// signal, those of its least and its greatest value. Lines through these rows
/// cover the same pixels as lines through all rows (M4: Jugel, Jerzak,
/// Hackenbroich, Markl, "M4: a visualization-oriented time series data
/// aggregation", VLDB 2014). The last row before the range and the first one
/// after it are there, too, so that lines go on to its edges. NaN is neither
/// the least nor the greatest value, but of a column of pixels with NaN one row
/// with it is there, so that the line has its gap.
///
/// Both limits of an event are in one column of pixels, as are its extremes.
///
/// @param time does not decrease.
/// @param signals functions of the row.
/// @returns all rows of the range if they are no more than four for each pixel.
/// @throws Error kInvalidArgument if the range is empty or not finite, or has
///     no pixels.
[[nodiscard]] std::vector<std::size_t> RowsToDraw(
    std::span<const double> time,
    std::span<const std::function<double(std::size_t row)>> signals,
    const DrawnRange& range);

/// The same for signals of a run.
[[nodiscard]] std::vector<std::size_t> RowsToDraw(
    const Trajectory& run,
    std::span<const Signal> signals,
    const DrawnRange& range);

}  // namespace orrery
