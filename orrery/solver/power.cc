#include "orrery/solver/internal/power.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orrery::internal {

double Power(double base, double exponent) noexcept {
  using Limits = std::numeric_limits<double>;
  constexpr int kFraction = 52;  // Bits of it.
  constexpr auto kRootOfHalf =
      std::bit_cast<std::int64_t>(0x1.6a09e667f3bcdp-1);
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr double kMost = 1000;
  if (std::isnan(base)) {
    return base;
  }
  // base = m 2^k, m from the root of 1/2 to that of 2; by s = (m - 1)/(m + 1)
  // its logarithm is 2 (s + s^3/3 + s^5/5 + ...).
  const auto bits = std::bit_cast<std::int64_t>(
      std::clamp(base, Limits::min(), Limits::max()));
  const std::int64_t k = (bits - kRootOfHalf) >> kFraction;
  const auto m = std::bit_cast<double>(bits - (k << kFraction));
  const double s = (m - 1) / (m + 1);
  const double q = s * s;
  const double log2 =
      static_cast<double>(k) +
      2 / kLn2 * s *
          ((1 + q * (1.0 / 3)) +
           q * q * ((1.0 / 5 + q * (1.0 / 7)) + q * q * (1.0 / 9)));
  // 2^y = 2^n e^x with |x| <= ln(2)/2.
  const double y = std::clamp(exponent * log2, -kMost, kMost);
  const auto n = static_cast<std::int64_t>(y + std::copysign(0.5, y));
  const double x = kLn2 * (y - static_cast<double>(n));
  const double x2 = x * x;
  const double power =
      ((1 + x) + x2 * (1.0 / 2 + x * (1.0 / 6))) +
      x2 * x2 *
          ((1.0 / 24 + x * (1.0 / 120)) + x2 * (1.0 / 720 + x * (1.0 / 5040)));
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(power) +
                               (n << kFraction));
}

}  // namespace orrery::internal
