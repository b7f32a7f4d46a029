#pragma once

#include <cstdint>
#include <vector>

#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

/// Redundant conditions on the start.
struct ImpliedStarts {
  std::vector<std::uint32_t> scalars;    ///< Their fixed starts are redundant.
  std::vector<std::uint32_t> equations;  ///< Initial ones, by `number`.
};

/// Finds the fixed starts and initial equations that follow from other ones by
/// `equations`, those of the start, up to rounding and whatever the parameters
/// are. At most one for each equation.
[[nodiscard]] ImpliedStarts FindImpliedStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Returns the numbers of parameters in the model as it is, and the start time.
[[nodiscard]] Replacements PresentNumbers(System& system);

/// True if values that follow from fixed starts and initial equations, with
/// these numbers of parameters, contradict an equation. Numbers that agree to
/// six digits do not.
[[nodiscard]] bool ContradictEachOther(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations,
    const Replacements& numbers);

}  // namespace orrery::compile::internal
