#pragma once

#include <cstdint>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

/// Finds the conditions on the start that other equations determine already:
/// initial equations and start values that hold. Where there are more equations
/// than unknowns, goes through the equations of the model, then the values
/// before the start, pre(x), then the initial equations, then the start values,
/// those of states first. A condition is surplus if its gradient is a linear
/// combination of the gradients of equations before it, at a point that obeys
/// the equations of the model but is in no other particular relation. So the
/// equations that stay are independent of each other.
///
/// @param numbers values of parameters and of time.
/// @returns the rows of surplus conditions, ascending. Whether their values
///     agree with the other equations is for the start to check.
[[nodiscard]] std::vector<std::uint32_t> FindSurplusConditions(
    System& system, const MatchedProblem& matched, const Replacements& numbers);

}  // namespace orrery::compile::internal
