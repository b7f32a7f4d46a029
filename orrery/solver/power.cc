#include "orrery/solver/internal/power.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "orrery/base/step_power.h"

namespace orrery::internal {
namespace {

double SumSeries(const std::array<double, 5>& c, double x) noexcept {
  const double square = x * x;
  return (c[0] + x * c[1]) + square * ((c[2] + x * c[3]) + square * c[4]);
}

}  // namespace

double Log2(double x) noexcept {
  using Limits = std::numeric_limits<double>;
  if (std::isnan(x)) {
    return x;
  }
  const auto bits =
      std::bit_cast<std::int64_t>(std::clamp(x, Limits::min(), Limits::max()));
  const std::int64_t k = (bits - kRootOfHalf) >> kFractionBits;
  const double u = std::bit_cast<double>(bits - (k << kFractionBits)) - 1;
  return static_cast<double>(k) + u * SumSeries(kLogSeries, u);
}

double Exp2(double x) noexcept {
  x = std::clamp(x, -kMostExponent, kMostExponent);
  const double rounded = x + kRoundsToWhole;
  const double f = x - (rounded - kRoundsToWhole);
  return std::bit_cast<double>(
      std::bit_cast<std::uint64_t>(SumSeries(kExpSeries, f)) +
      (std::bit_cast<std::uint64_t>(rounded) << kFractionBits));
}

}  // namespace orrery::internal
