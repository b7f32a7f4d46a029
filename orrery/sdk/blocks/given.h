#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

namespace orrery {

/// True if a `U` converts to a `T` without surprise: no Boolean from a number,
/// no whole number from a fraction.
template <typename U, typename T>
[[nodiscard]] consteval bool IsGivableAs() {
  if constexpr (std::same_as<T, bool> || std::is_enum_v<T>) {
    return std::same_as<U, T>;
  } else if constexpr (std::integral<T>) {
    return std::integral<U> && !std::same_as<U, bool>;
  } else if constexpr (std::floating_point<T>) {
    return std::is_arithmetic_v<U> && !std::same_as<U, bool>;
  } else {
    return std::convertible_to<U, T>;
  }
}

template <typename U, typename T>
concept GivableAs = IsGivableAs<std::decay_t<U>, T>();

/// An optional argument; its default is the model's own value.
template <typename T>
class Given {
 public:
  Given() = default;

  template <GivableAs<T> U>
  // NOLINTNEXTLINE(google-explicit-constructor): an argument is its value.
  Given(const U& value) : value_(static_cast<T>(value)) {}

  [[nodiscard]] const std::optional<T>& value() const noexcept {
    return value_;
  }

 private:
  std::optional<T> value_;
};

}  // namespace orrery
