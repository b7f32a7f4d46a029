#pragma once

namespace orrery::internal {

/// `base`^`exponent` to 1e-8, by arithmetic alone: for the control of steps,
/// which must have the same bits on every machine and may not take longer than
/// they do. A base below the least normal number counts as that, a result is at
/// most 2^1000 and at least 2^-1000.
[[nodiscard]] double Power(double base, double exponent) noexcept;

}  // namespace orrery::internal
