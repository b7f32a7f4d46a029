#pragma once

#include <cstdint>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// The equations that hold at the start only, sorted: they determine the states
/// and all else from the start values; empty if the states simply start at
/// their start values. Notes in `starts` which of them hold.
[[nodiscard]] SortedSystem SortInitialEquations(System& system,
                                                StartTable& starts,
                                                Diagnostics& diagnostics);

/// What says nothing new about the start.
struct ImpliedStarts {
  std::vector<std::uint32_t> scalars;    ///< Whose starts are fixed.
  std::vector<std::uint32_t> equations;  ///< Initial ones, by `number`.
};

/// Those fixed starts and initial equations that `equations`, of the start,
/// make of other ones, to the same numbers up to rounding whatever the
/// parameters are. At most one for each equation.
[[nodiscard]] ImpliedStarts FindImpliedStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Likewise those that come to the same numbers, to six digits, with the values
/// that parameters have now, when a run starts at the time that the model says.
[[nodiscard]] ImpliedStarts FindAgreeingStarts(
    System& system,
    const StartTable& starts,
    const std::vector<ScalarEquation>& equations);

/// Whether two formulas come to what `FindAgreeingStarts` takes for the same
/// number: a formula.
[[nodiscard]] Expr Agreement(ExprGraph& graph, Expr a, Expr b);

}  // namespace orrery::internal
