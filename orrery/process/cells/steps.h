#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/cells/keyed_times.h"
#include "orrery/process/cells/no_effect.h"

namespace orrery::process {

/// A cell type: an input that is known beforehand and holds between its steps.
/// Nothing acts on it. Its copies share the table.
template <std::equality_comparable T>
class Steps {
 public:
  using Effect = internal::NoEffect;

  struct Key {
    Duration time;  ///< Since the start of the run; below zero: before it.
    T value;        ///< From this time on.

    friend bool operator==(const Key&, const Key&) = default;
  };

  /// @param before the value until the first key.
  /// @throws Error kInvalidArgument if the times do not rise.
  Steps(T before, const std::vector<Key>& keys)
      : times_("steps", TimesOf(keys)) {
    std::vector<T> values{std::move(before)};
    for (const Key& key : keys) {
      values.push_back(key.value);
    }
    values_ = std::make_shared<const std::vector<T>>(std::move(values));
  }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect /*first*/, Effect /*second*/) { return {}; }

  static Effect Concurrently(Effect /*a*/, Effect /*b*/) { return {}; }

  void Apply(Effect /*effect*/) {}

  void Step(Duration dt) { times_.Step(dt); }

  [[nodiscard]] const T& Value() const { return (*values_)[times_.num_past()]; }

  [[nodiscard]] std::optional<Duration> Expiry() const {
    return times_.UntilNext();
  }

  friend bool operator==(const Steps& a, const Steps& b) {
    return a.times_ == b.times_ && *a.values_ == *b.values_;
  }

 private:
  static std::vector<Duration> TimesOf(const std::vector<Key>& keys) {
    std::vector<Duration> times;
    times.reserve(keys.size());
    for (const Key& key : keys) {
      times.push_back(key.time);
    }
    return times;
  }

  internal::KeyedTimes times_;
  std::shared_ptr<const std::vector<T>> values_;  // The first before all keys.
};

}  // namespace orrery::process
