#pragma once

#include <bit>
#include <cstdint>

#include "orrery/base/methods/step_power.h"

namespace orrery::solver::internal {

// Functions for step size control, by arithmetic alone: they must have the same
// bits on every machine and in machine code, and take less time than the steps.

/// Returns log2(x), or up to 0.087 less; exact for powers of 2. Takes an x
/// below the least normal number as that number.
[[nodiscard]] double Log2(double x) noexcept;

/// Returns 2^x with a relative error of at most 0.0022; 1 for x = 0. For
/// x| < 1000.
[[nodiscard]] double Exp2(double x) noexcept;

/// Returns 1 / x, or up to 0.0026 of it less. For 0 < x < 2^1021; takes 0 as a
/// tiny number.
[[nodiscard]] inline double Reciprocal(double x) noexcept {
  const auto first = std::bit_cast<double>(kBitsOfReciprocal -
                                           std::bit_cast<std::uint64_t>(x));
  return first * (2 - x * first);
}

/// Returns `base`^`exponent` by these two; roots have a relative error of at
/// most 0.02.
[[nodiscard]] inline double Power(double base, double exponent) noexcept {
  return Exp2(exponent * Log2(base));
}

}  // namespace orrery::solver::internal
