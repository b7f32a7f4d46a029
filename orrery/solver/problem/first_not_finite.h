#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "orrery/base/numbers/all_finite.h"

namespace orrery::solver::internal {

/// The index of the first element that is not finite; -1 if all are.
[[nodiscard]] inline int FirstNotFinite(std::span<const double> x) noexcept {
  if (AllFinite(x)) {
    return -1;
  }
  std::size_t i = 0;
  while (std::isfinite(x[i])) {
    ++i;
  }
  return static_cast<int>(i);
}

}  // namespace orrery::solver::internal
