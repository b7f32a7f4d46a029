#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orrery/program/program.h"

namespace orrery {

/// The given values that a quantity depends on at one time, directly, through
/// other quantities, loops, or events there: by the formulas, whatever their
/// values. None is missing.
class SlotDependencies {
 public:
  /// Numbers of given values, ascending.
  using Knowns = std::vector<std::uint32_t>;

  /// Given are states, and inputs, whose numbers come after those of all
  /// states.
  /// @returns none for a program with delays, or with code that is no sequence
  ///     of formulas, and for one with more dependencies than pay.
  [[nodiscard]] static std::optional<SlotDependencies> Of(
      const Program& program);

  /// The same when a run begins, up to its first event.
  /// @param given slots of parameters, start values and inputs. One that
  ///     follows from others, unless it is set, depends on these, too.
  [[nodiscard]] static std::optional<SlotDependencies> AtStart(
      const Program& program, std::span<const std::uint32_t> given);

  [[nodiscard]] const Knowns& At(Reference at) const {
    return knowns_[at.slot];
  }

 private:
  static std::optional<SlotDependencies> Following(
      const Program& program,
      std::span<const std::uint32_t> given,
      bool is_at_start);

  explicit SlotDependencies(std::vector<Knowns> knowns)
      : knowns_(std::move(knowns)) {}

  std::vector<Knowns> knowns_;  // By address in memory.
};

}  // namespace orrery
