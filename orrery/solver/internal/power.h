#pragma once

namespace orrery::internal {

// For the control of steps, by arithmetic alone: it must have the same bits on
// every machine, in machine code too, and may not take longer than the steps.

/// log2(x) to 3e-5; exact where x is a power of 2. An x below the least normal
/// number counts as that.
[[nodiscard]] double Log2(double x) noexcept;

/// 2^x to 3e-6 of it; 1 for x = 0. At most 2^1000 and at least 2^-1000.
[[nodiscard]] double Exp2(double x) noexcept;

/// `base`^`exponent` by these two.
[[nodiscard]] inline double Power(double base, double exponent) noexcept {
  return Exp2(exponent * Log2(base));
}

}  // namespace orrery::internal
