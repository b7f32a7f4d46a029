#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/time.h"

namespace orrery {

/// Named values of a state, a message or an effect, for observers; or the
/// results of a run.
///
/// Numbers, Booleans, texts, durations (in seconds) and optionals of these are
/// values. A type of your own is recorded if it has
/// `void Describe(Record&) const`.
class Record {
 public:
  /// std::monostate: no value.
  using Value = std::variant<std::monostate,
                             bool,
                             std::int64_t,
                             double,
                             Duration,
                             std::string>;

  struct Field {
    std::string name;  ///< Empty for a single value.
    Value value;
  };

  /// Adds a value, or its fields as `name.field`.
  template <typename T>
  void Add(std::string_view name, const T& value) {
    if constexpr (requires { value.Describe(*this); }) {
      const std::size_t outer = prefix_.size();
      prefix_ = Joined(name);
      value.Describe(*this);
      prefix_.resize(outer);
    } else if constexpr (OptionalOf<T>::value) {
      if (value) {
        Add(name, *value);
      } else {
        fields_.push_back({.name = Joined(name), .value = {}});
      }
    } else {
      fields_.push_back({.name = Joined(name), .value = ToValue(value)});
    }
  }

  [[nodiscard]] std::span<const Field> fields() const noexcept {
    return fields_;
  }

  void Clear() noexcept { fields_.clear(); }

  /// True if values of type T can be added.
  template <typename T>
  [[nodiscard]] static constexpr bool Takes() {
    return requires(const T& value, Record& record) {
      value.Describe(record);
    }
    || IsValue<T>();
  }

 private:
  template <typename T>
  struct OptionalOf : std::false_type {};

  template <typename T>
  struct OptionalOf<std::optional<T>> : std::true_type {
    using Type = T;
  };

  template <typename T>
  static constexpr bool IsValue() {
    if constexpr (OptionalOf<T>::value) {
      return Takes<typename OptionalOf<T>::Type>();
    } else {
      return std::is_arithmetic_v<T> || std::is_enum_v<T> ||
             std::convertible_to<const T&, Duration> ||
             std::convertible_to<const T&, std::string_view>;
    }
  }

  template <typename T>
  static Value ToValue(const T& value) {
    static_assert(IsValue<T>(),
                  "to be recorded, a type needs void Describe(Record&) const");
    if constexpr (std::is_same_v<T, bool>) {
      return value;
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else if constexpr (std::convertible_to<const T&, Duration>) {
      return Duration(value);
    } else {
      const std::string_view text = value;
      return std::string(text);
    }
  }

  [[nodiscard]] std::string Joined(std::string_view name) const {
    std::string joined = prefix_;
    joined += joined.empty() || name.empty() ? "" : ".";
    joined += name;
    return joined;
  }

  std::string prefix_;
  std::vector<Field> fields_;
};

}  // namespace orrery
