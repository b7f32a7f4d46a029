#include "orrery/solver/adaptive/power.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "orrery/base/methods/step_power.h"

namespace orrery::solver::internal {

double Log2(double x) noexcept {
  using Limits = std::numeric_limits<double>;
  if (std::isnan(x)) {
    return x;
  }
  const auto bits =
      std::bit_cast<std::int64_t>(std::clamp(x, Limits::min(), Limits::max()));
  return static_cast<double>(bits >> kLowerBits) * kLogUnit - kExponentBias;
}

double Exp2(double x) noexcept {
  const double rounded = x + kRoundsToWhole;
  const double f = x - (rounded - kRoundsToWhole);
  const double series =
      std::fma(f, std::fma(f, kExpSeries[2], kExpSeries[1]), kExpSeries[0]);
  return std::bit_cast<double>(
      std::bit_cast<std::uint64_t>(series) +
      (std::bit_cast<std::uint64_t>(rounded) << kFractionBits));
}

}  // namespace orrery::solver::internal
