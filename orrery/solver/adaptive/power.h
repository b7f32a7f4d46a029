#pragma once

#include <bit>
#include <cstdint>

#include "orrery/base/methods/step_power.h"

namespace orrery::internal {

// For the control of steps, by arithmetic alone: it must have the same bits on
// every machine, in machine code too, and may not take longer than the steps.

/// log2(x), or up to 0.087 less; exact where x is a power of 2. An x below the
/// least normal number counts as that.
[[nodiscard]] double Log2(double x) noexcept;

/// 2^x to 0.0022 of it; 1 for x = 0. For |x| < 1000.
[[nodiscard]] double Exp2(double x) noexcept;

/// 1 / x, or up to 0.0026 of it less. For 0 < x < 2^1021; 0 as if it were tiny.
[[nodiscard]] inline double Reciprocal(double x) noexcept {
  const auto first = std::bit_cast<double>(kBitsOfReciprocal -
                                           std::bit_cast<std::uint64_t>(x));
  return first * (2 - x * first);
}

/// `base`^`exponent` by these two: roots to 0.02 of them.
[[nodiscard]] inline double Power(double base, double exponent) noexcept {
  return Exp2(exponent * Log2(base));
}

}  // namespace orrery::internal
