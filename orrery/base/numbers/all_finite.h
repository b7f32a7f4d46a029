#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace orrery {

/// True if all `values` are finite. A finite number times 0 is 0. Separate sums
/// for neighbours do not wait for each other.
[[nodiscard]] inline bool AllFinite(std::span<const double> values) noexcept {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= values.size(); i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] += values[i + k] * 0.0;
    }
  }
  for (; i < values.size(); ++i) {
    sums[0] += values[i] * 0.0;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0;
}

}  // namespace orrery
