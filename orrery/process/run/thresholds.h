#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "orrery/process/types/polynomial.h"

namespace orrery::process::internal {

class CellCore;
class Dependent;

/// A value that a cell must have before a condition can hold. The value of the
/// cell changes by effects only. Plain data.
struct Threshold {
  CellCore* cell = nullptr;
  Relation relation = Relation::kEqual;
  double bound = 0;

  friend bool operator==(const Threshold&, const Threshold&) = default;
};

/// Values that are compared for equality by a number of 53 bits: equal ones
/// have equal numbers.
template <typename T>
concept Keyed = std::is_enum_v<T> || std::same_as<T, bool> ||
    std::convertible_to<const T&, std::string_view>;

template <Keyed T>
double KeyOf(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<double>(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::same_as<T, bool>) {
    return value ? 1 : 0;
  } else {
    const std::size_t hash = std::hash<std::string_view>()(value);
    return static_cast<double>(static_cast<std::uint64_t>(hash) >> 11U);
  }
}

/// Those that wait for thresholds of one cell, in the order of these: when it
/// changes, only those are found for which the threshold is met, in a time that
/// grows with their number, not with that of all.
class Thresholds {
 public:
  // The bound, and whether the number itself does not do.
  using Key = std::pair<double, bool>;
  using Places = std::multimap<Key, Dependent*>;

  /// A place in the order.
  struct Place {
    Places* places = nullptr;
    Places::iterator at;
  };

  /// @param bound that is no NaN.
  [[nodiscard]] Place Add(Dependent& who, Relation relation, double bound);

  static void Remove(const Place& place) { place.places->erase(place.at); }

  [[nodiscard]] bool empty() const noexcept {
    return least_.empty() && most_.empty() && equal_.empty() &&
           different_.empty();
  }

  /// Calls `meet` with each whose threshold `number` meets.
  /// @param meet adds and removes none.
  template <typename F>
  void ForEachMet(double number, F meet) const {
    ForEachUpTo(least_, number, meet);
    ForEachUpTo(most_, -number, meet);
    const Key key{number, false};
    const auto [begin, end] = equal_.equal_range(key);
    for (auto at = begin; at != end; ++at) {
      meet(*at->second);
    }
    const auto [same, other] = different_.equal_range(key);
    for (auto at = different_.begin(); at != same; ++at) {
      meet(*at->second);
    }
    for (auto at = other; at != different_.end(); ++at) {
      meet(*at->second);
    }
  }

  template <typename F>
  void ForEach(F meet) const {
    for (const Places* places : {&least_, &most_, &equal_, &different_}) {
      for (const auto& [key, who] : *places) {
        meet(*who);
      }
    }
  }

 private:
  template <typename F>
  static void ForEachUpTo(const Places& places, double number, F meet) {
    const auto end = places.upper_bound({number, false});
    for (auto at = places.begin(); at != end; ++at) {
      meet(*at->second);
    }
  }

  Places least_;  // `> bound` and `>= bound`.
  Places most_;   // `< bound` and `<= bound`, both sides negated.
  Places equal_;
  Places different_;
};

}  // namespace orrery::process::internal
