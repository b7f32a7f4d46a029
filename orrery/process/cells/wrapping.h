#pragma once

#include <concepts>
#include <type_traits>

namespace orrery::process::internal {

/// The sum, modulo 2 to the bits of T: without undefined behaviour, and still
/// associative where it overflows.
template <std::integral T>
[[nodiscard]] constexpr T WrappingSum(T a, T b) {
  // Short types would be promoted to int.
  using Bits = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
  return static_cast<T>(static_cast<Bits>(a) + static_cast<Bits>(b));
}

/// The difference, likewise.
template <std::integral T>
[[nodiscard]] constexpr T WrappingDifference(T a, T b) {
  using Bits = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
  return static_cast<T>(static_cast<Bits>(a) - static_cast<Bits>(b));
}

}  // namespace orrery::process::internal
