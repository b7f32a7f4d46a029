#pragma once

#include <concepts>
#include <cstdint>

#include "orrery/base/values/record.h"
#include "orrery/process/cells/wrapping.h"

namespace orrery::process {

/// A cell type: a whole number that is added to. Additions sum up, in sequence
/// and concurrently; beyond the range of T they wrap around. For real numbers
/// there is the Accumulator.
template <std::integral T = std::int64_t>

requires(!std::same_as<T, bool>) class Counter {
 public:
  struct Effect {
    T add = 0;

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {add: 5}.
    void Describe(Record& record) const { record.Add("add", add); }
  };

  explicit Counter(T value = 0) : value_(value) {}

  static Effect Adding(T number) { return {.add = number}; }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    return {.add = internal::WrappingSum(first.add, second.add)};
  }

  static Effect Concurrently(Effect a, Effect b) { return Sequentially(a, b); }

  void Apply(Effect effect) {
    value_ = internal::WrappingSum(value_, effect.add);
  }

  [[nodiscard]] T Value() const { return value_; }

  friend bool operator==(const Counter&, const Counter&) = default;

 private:
  T value_;
};

}  // namespace orrery::process
