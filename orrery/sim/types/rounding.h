#pragma once

#include <cmath>
#include <limits>

namespace orrery::sim::internal {

/// A distance in time at `t` that is rounding only.
[[nodiscard]] inline double Rounding(double t) noexcept {
  return 16 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

}  // namespace orrery::sim::internal
