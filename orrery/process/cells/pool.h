#pragma once

#include <cstdint>
#include <string>

#include "orrery/base/values/record.h"

namespace orrery::process {

/// A cell type: a number of equal units, of which some are in use: machines,
/// channels, crew.
///
/// Units acquired and released sum up in any order, even beyond the bounds:
/// tasks that did not see each other may acquire more than there are. The pool
/// is in conflict while the number in use exceeds its capacity or is negative.
class Pool {
 public:
  struct Effect {
    std::int64_t acquire = 0;  ///< Negative: units that are released.

    friend bool operator==(const Effect&, const Effect&) = default;

    /// {acquire: 2}, {release: 2}.
    void Describe(Record& record) const;
  };

  /// @throws Error kInvalidArgument if the capacity is negative or `in_use` is
  ///     not within it.
  explicit Pool(std::int64_t capacity, std::int64_t in_use = 0);

  /// @throws Error kInvalidArgument for a negative number.
  static Effect Acquiring(std::int64_t units);

  /// @throws Error kInvalidArgument for a negative number.
  static Effect Releasing(std::int64_t units);

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect first, Effect second);

  static Effect Concurrently(Effect a, Effect b) { return Sequentially(a, b); }

  void Apply(Effect effect);

  /// The number of units in use.
  [[nodiscard]] std::int64_t Value() const { return in_use_; }

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

  /// The number of free units; negative if units are missing.
  [[nodiscard]] std::int64_t available() const;

  [[nodiscard]] bool HasConflict() const {
    return in_use_ < 0 || in_use_ > capacity_;
  }

  [[nodiscard]] std::string ConflictText() const;

  friend bool operator==(const Pool&, const Pool&) = default;

 private:
  std::int64_t capacity_;
  std::int64_t in_use_;
};

}  // namespace orrery::process
