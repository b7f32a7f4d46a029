#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace orrery {

/// When a clock ticks: at the times start + k*period, with these limits.
struct ClockTimes {
  /// No tick is later; s.
  double end = std::numeric_limits<double>::infinity();
  /// Whether k goes through all integers, not from 0 on.
  bool runs_before_start = false;
  /// What is added to the time of the n-th tick of a run, n = 0, 1, ...; s. May
  /// be empty. The same n always gives the same number.
  std::function<double(std::int64_t)> jitter;
};

}  // namespace orrery
