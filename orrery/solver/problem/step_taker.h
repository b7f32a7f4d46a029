#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orrery/base/methods/embedded_method.h"
#include "orrery/base/methods/taylor_steps.h"

namespace orrery {

/// An object that may take many steps of explicit methods at once, faster than
/// by evaluations of f and with the same numbers: for one problem, or for
/// several similar ones side by side. Element i of an array in lane l is at [i
/// * lanes() + l].
class StepTaker {
 public:
  StepTaker() = default;
  StepTaker(const StepTaker&) = delete;
  StepTaker& operator=(const StepTaker&) = delete;
  virtual ~StepTaker() = default;

  [[nodiscard]] virtual std::size_t lanes() const noexcept { return 1; }

  /// Takes adaptive steps in all running lanes until one of them has arrived or
  /// is stuck.
  /// @returns false if it cannot take steps: nothing has changed then.
  virtual bool TakeSteps(const EmbeddedMethod& /*method*/,
                         const EmbeddedSteps& /*steps*/) {
    return false;
  }

  /// Likewise steps by Taylor series of order `order`.
  virtual bool TakeSteps(int /*order*/, const TaylorSteps& /*steps*/) {
    return false;
  }

  /// True if steps of fixed length need the times at which they begin.
  [[nodiscard]] virtual bool NeedsTimes(const ExplicitTableau& /*tableau*/) {
    return true;
  }

  /// Takes `count` >= 1 steps of length h in all lanes.
  /// @param times begin of each step, as an array of `count`; may be empty
  ///     unless they are needed.
  /// @param x the states at the begin of the first step; on return at the end
  ///     of the last one.
  /// @param work room for stages() + 1 arrays like x.
  /// @returns false if it cannot take steps, or could not in one lane; for a
  ///     single lane also if x is not finite. Then x is meaningless.
  virtual bool TakeSteps(const ExplicitTableau& /*tableau*/,
                         std::span<const double> /*times*/,
                         std::int64_t /*count*/,
                         double /*h*/,
                         std::span<double> /*x*/,
                         std::span<double> /*work*/) {
    return false;
  }
};

}  // namespace orrery
