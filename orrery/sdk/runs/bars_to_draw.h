#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "orrery/results/thinning.h"

namespace orrery {

/// A part of time on a chart. Plain data.
struct TimedBar {
  double begin = 0;
  double end = 0;  ///< Infinity if it is open.
  /// Bars that stand in the same row of the chart; none: it has its own row.
  std::optional<std::int64_t> row;
};

/// The row of the span of a task: activities of a plan have a row each, their
/// parts share one, and so do other tasks of one name.
/// @param parent the number of the span that it is a part of.
/// @param is_activity if it is one of the plan.
[[nodiscard]] std::optional<std::int64_t> RowOfSpan(
    std::optional<std::int64_t> parent,
    bool is_activity,
    std::string_view name);

/// The bars of a range of time that a chart of so many pixels shows: all that
/// overlap it, but of those in one row that begin in the same column of pixels
/// and are narrower than it only the first.
/// @throws Error kInvalidArgument if the range is empty or not finite, or has
///     no pixels.
[[nodiscard]] std::vector<std::size_t> BarsToDraw(
    std::span<const TimedBar> bars, const DrawnRange& range);

}  // namespace orrery
