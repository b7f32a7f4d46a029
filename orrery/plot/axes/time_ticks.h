#pragma once

#include <string>
#include <vector>

#include "orrery/plot/axes/ticks.h"

namespace orrery::plot::internal {

/// Round times on an axis.
struct TimeTicks {
  std::vector<double> values;       ///< [s], ascending, within the range.
  std::vector<std::string> labels;  ///< With '-' for minus; one for each value.
  std::string unit;                 ///< Unit of the labels: "s", "h:min", "d".
  int exponent = 0;  ///< The labels times 10^exponent are in that unit.
};

/// At most `most` (>= 2) ticks, as many as fit, at least one. Up to ten minutes
/// they are in seconds. Then they are clock times, at whole 1, 2, 5, 10, 15 and
/// 30 seconds and minutes and 1, 2, 3, 6 and 12 hours; beyond these they are in
/// days.
/// @param range in seconds.
[[nodiscard]] TimeTicks MakeTimeTicks(Range range, int most);

/// A time in seconds as a text: "12.5 s", "9:30 min", "14:05:30 h", "2 d
/// 6:00:00 h", rounded to seconds beyond ten minutes.
[[nodiscard]] std::string TimeText(double time);

}  // namespace orrery::plot::internal
