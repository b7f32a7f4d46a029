#include "orrery/solver/internal/power.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orrery::internal {
namespace {

constexpr int kFraction = 52;  // Bits of it.

}  // namespace

// x = (1 + u) 2^k, 1 + u from the root of 1/2 to that of 2. The polynomial is
// the best one of degree 5 without a constant.
double Log2(double x) noexcept {
  using Limits = std::numeric_limits<double>;
  constexpr auto kRootOfHalf =
      std::bit_cast<std::int64_t>(0x1.6a09e667f3bcdp-1);
  if (std::isnan(x)) {
    return x;
  }
  const auto bits =
      std::bit_cast<std::int64_t>(std::clamp(x, Limits::min(), Limits::max()));
  const std::int64_t k = (bits - kRootOfHalf) >> kFraction;
  const double u = std::bit_cast<double>(bits - (k << kFraction)) - 1;
  const double u2 = u * u;
  return static_cast<double>(k) +
         u * ((1.4422636400658688 + u * -0.7211594880839389) +
              u2 * ((0.49662557583371775 + u * -0.38115377005765855) +
                    u2 * 0.18236960302342356));
}

// 2^x = 2^n 2^f, |f| <= 1/2: added to kWhole, x is rounded to n, which is then
// in the last bits. The polynomial is the best one of degree 4 that begins with
// 1.
double Exp2(double x) noexcept {
  constexpr double kMost = 1000;
  constexpr double kWhole = 0x1.8p52;
  const double rounded = std::clamp(x, -kMost, kMost) + kWhole;
  const double f = std::clamp(x, -kMost, kMost) - (rounded - kWhole);
  const double f2 = f * f;
  const double power = (1 + f * 0.6931215221204522) +
                       f2 * ((0.24022020904252742 + f * 0.05591974411716969) +
                             f2 * 0.009681912248158944);
  return std::bit_cast<double>(
      std::bit_cast<std::uint64_t>(power) +
      (std::bit_cast<std::uint64_t>(rounded) << kFraction));
}

}  // namespace orrery::internal
