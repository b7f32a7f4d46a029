#pragma once

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// Makes a system whose equations bind states regular: differentiates these
/// equations as often as it takes and lets each determine one of the quantities
/// in it, which is no state any more; but only one with a constant factor, so
/// that it can be solved for at all times. Where there is none all states stay,
/// and the equation, which its last derivative keeps, becomes a constraint.
///
/// @param problem the system's equations and unknowns.
/// @param starts who is fixed at the start stays a state if another one need
///     not.
/// @returns whether the system was of a higher index and is not any more; else
///     nothing has changed.
/// Source: which equations to differentiate: Pantelides, SIAM J. Sci. Stat.
/// Comput. 9 (1988) 213-231. Which states to leave: dummy derivatives,
/// Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692.
[[nodiscard]] bool ReduceIndex(System& system,
                               const SortProblem& problem,
                               const StartTable& starts);

}  // namespace orrery::internal
