#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "orrery/base/numbers/exact_sum.h"
#include "orrery/process/cells/assignment.h"

namespace orrery::process::internal {

/// An effect on numbers: they are set, then added to. Sets join as assignments;
/// concurrent additions sum up, and come after concurrent sets.
template <std::size_t kSize>
struct SetThenAdd {
  using Numbers = std::array<double, kSize>;
  using Sums = std::array<ExactSum, kSize>;

  Assignment<Numbers> set;
  Sums add{};

  static SetThenAdd Sequentially(SetThenAdd first, SetThenAdd second) {
    if (!second.set.value) {
      AddTo(second.add, first.add);
    }
    second.set = Assignment<Numbers>::Sequentially(first.set, second.set);
    return second;
  }

  static SetThenAdd Concurrently(SetThenAdd a, const SetThenAdd& b) {
    a.set = Assignment<Numbers>::Concurrently(a.set, b.set);
    AddTo(a.add, b.add);
    return a;
  }

  void ApplyTo(Sums& numbers, bool& conflict) const {
    conflict = set.conflict || (conflict && !set.value);
    if (set.value) {
      for (std::size_t i = 0; i < kSize; ++i) {
        numbers[i] = ExactSum((*set.value)[i]);
      }
    }
    AddTo(numbers, add);
  }

  friend bool operator==(const SetThenAdd&, const SetThenAdd&) = default;

 private:
  static void AddTo(Sums& sums, const Sums& terms) {
    for (std::size_t i = 0; i < kSize; ++i) {
      sums[i].Add(terms[i]);
    }
  }
};

}  // namespace orrery::process::internal
