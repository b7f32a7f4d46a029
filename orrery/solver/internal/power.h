#pragma once

namespace orrery::internal {

/// base^exponent for base > 0: by SLEEF's reproducible function, as in the
/// equations. That of a C library differs between versions, and with it the
/// steps that a run takes.
[[nodiscard]] double Power(double base, double exponent) noexcept;

}  // namespace orrery::internal
