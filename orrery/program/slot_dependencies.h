#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/program/program.h"

namespace orrery {

/// The states and inputs that a quantity depends on at one time, directly,
/// through other quantities, loops, or events there: by the formulas, whatever
/// their values. None is missing.
class SlotDependencies {
 public:
  /// Numbers of states, and those of inputs after all states; ascending.
  using Knowns = std::vector<std::uint32_t>;

  /// @returns none for a program with delays, or with code that is no sequence
  ///     of formulas, and for one with more dependencies than pay.
  [[nodiscard]] static std::optional<SlotDependencies> Of(
      const Program& program);

  [[nodiscard]] const Knowns& At(Reference at) const {
    return knowns_[at.slot];
  }

 private:
  explicit SlotDependencies(std::vector<Knowns> knowns)
      : knowns_(std::move(knowns)) {}

  std::vector<Knowns> knowns_;  // By address in memory.
};

}  // namespace orrery
