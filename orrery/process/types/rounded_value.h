#pragma once

#include <array>
#include <cstddef>

namespace orrery::process::internal {

/// (high_0 + low_0) + (high_1 + low_1) s + ... up to the degree.
///
/// The low parts are for coefficients that no double holds, such as three times
/// a double; each is within half a unit of the last place of its high part.
struct Terms {
  static constexpr std::size_t kMost = 8;

  std::array<double, kMost> high{};
  std::array<double, kMost> low{};
  std::size_t degree = 0;
};

/// The value by Horner's rule, without the low parts, as doubles round it.
[[nodiscard]] double PlainValue(const Terms& terms, double s);

/// The exact value, rounded once to the nearest double (ties to even), so that
/// it rises with s wherever the exact one does, and its sign is exact. The
/// last bits are lost of products within 1e-290 of zero, and within 1e-200 of
/// it if others are beyond 1e290.
///
/// @param terms finite.
/// @param s the seconds of a tick.
///
/// Compensated Horner's rule with a running bound of its error (Langlois,
/// Louvet, "How to ensure a faithful polynomial evaluation with the compensated
/// Horner algorithm", ARITH 18, 2007); where the bound leaves two doubles
/// possible, the sum of all products without any rounding (Shewchuk, "Adaptive
/// precision floating-point arithmetic", 1997).
[[nodiscard]] double RoundedValue(const Terms& terms, double s);

}  // namespace orrery::process::internal
