#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace orrery {

/// The ticks of a clock: at the times start + k*period, with these limits.
struct ClockTimes {
  /// The end of the ticks, s.
  double end = std::numeric_limits<double>::infinity();
  /// True if k covers all integers instead of those from 0 on.
  bool runs_before_start = false;
  /// Returns the jitter of the n-th tick of a run, n = 0, 1, ..., in s; it is
  /// added to its time. May be empty. The same n always gives the same number.
  std::function<double(std::int64_t)> jitter;
};

}  // namespace orrery
