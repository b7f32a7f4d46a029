#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orrery/base/methods/embedded_method.h"
#include "orrery/base/methods/taylor_steps.h"

namespace orrery {

/// What may take steps of explicit methods all at once, in a faster way than by
/// evaluations of f, with the same numbers: of one problem, or of several alike
/// side by side. Element i of an array in lane l is at [i * lanes() + l].
class StepTaker {
 public:
  StepTaker() = default;
  StepTaker(const StepTaker&) = delete;
  StepTaker& operator=(const StepTaker&) = delete;
  virtual ~StepTaker() = default;

  [[nodiscard]] virtual std::size_t lanes() const noexcept { return 1; }

  /// Takes adaptive steps in all lanes that are going until one of these has
  /// arrived or is stuck.
  /// @returns false if it has no way to: nothing has changed then.
  virtual bool TakeSteps(const EmbeddedMethod& /*method*/,
                         const EmbeddedSteps& /*steps*/) {
    return false;
  }

  /// Likewise steps by Taylor series of that order.
  virtual bool TakeSteps(int /*order*/, const TaylorSteps& /*steps*/) {
    return false;
  }

  /// Whether steps of a fixed length need to know when they begin.
  [[nodiscard]] virtual bool NeedsTimes(const ExplicitTableau& /*tableau*/) {
    return true;
  }

  /// Takes `count` >= 1 steps of length h in all lanes.
  /// @param times where each step begins, as an array of `count`; may be empty
  ///     unless they are needed.
  /// @param x where the first one begins, then where the last one ends.
  /// @param work room for stages() + 1 arrays like x.
  /// @returns false if it has no way to, or could not in one lane; of a single
  ///     lane also if x is not finite: x is meaningless then.
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
