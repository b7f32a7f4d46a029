#pragma once

#include <cstdint>
#include <vector>

#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/graph.h"

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

/// Likewise with the present values of parameters and the model's start time;
/// the numbers need to agree to six digits.
[[nodiscard]] ImpliedStarts FindAgreeingStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Returns the formula that is true if `a` and `b` are the same number for
/// `FindAgreeingStarts`.
[[nodiscard]] Expr Agreement(ExprGraph& graph, Expr a, Expr b);

}  // namespace orrery::compile::internal
