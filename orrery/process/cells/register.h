#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "orrery/base/values/record.h"
#include "orrery/process/cells/assignment.h"
#include "orrery/process/cells/describe.h"

namespace orrery::process {

/// A cell type: a value that is set.
///
/// The last of sets in sequence counts. Concurrent sets of equal values agree;
/// of different ones none is obeyed: the value stays, and the register is in
/// conflict until it is set again.
template <std::equality_comparable T>
class Register {
 public:
  /// `set; conflict`: the value that is set, then a conflict; either or none.
  struct Effect {
    internal::Assignment<T> set;

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {set: 5}, {conflict: true}.
    void Describe(Record& record) const {
      if (set.value) {
        internal::Describe(record, "set", *set.value);
      }
      if (set.conflict) {
        record.Add("conflict", true);
      }
    }
  };

  explicit Register(T value = T()) : value_(std::move(value)) {}

  static Effect Setting(T value) {
    return {.set = {.value = std::move(value)}};
  }

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second) {
    return {.set = internal::Assignment<T>::Sequentially(
                std::move(first.set), std::move(second.set))};
  }

  static Effect Concurrently(Effect a, Effect b) {
    return {.set = internal::Assignment<T>::Concurrently(std::move(a.set),
                                                         std::move(b.set))};
  }

  void Apply(const Effect& effect) {
    if (effect.set.value) {
      value_ = *effect.set.value;
      conflict_ = false;
    }
    conflict_ = conflict_ || effect.set.conflict;
  }

  [[nodiscard]] const T& Value() const { return value_; }

  [[nodiscard]] bool HasConflict() const { return conflict_; }

  friend bool operator==(const Register&, const Register&) = default;

 private:
  T value_;
  bool conflict_ = false;
};

}  // namespace orrery::process
