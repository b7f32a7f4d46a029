#pragma once

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Reduces the index of a system whose equations bind states. Differentiates
/// these equations as often as necessary and lets each determine a quantity in
/// it, which is no state any more (a dummy derivative). The quantity must have
/// a constant factor, so that the equation can be solved for it at all times.
/// If there is none, all states stay, and the equation becomes a constraint,
/// which its last derivative maintains.
///
/// @param problem the system's equations and unknowns.
/// @param starts a state with a fixed start stays a state if another one can
///     go.
/// @returns true if the system was of a higher index and is not any more; else
///     nothing has changed.
/// Source: which equations to differentiate: Pantelides, SIAM J. Sci. Stat.
/// Comput. 9 (1988) 213-231. Which states to leave: dummy derivatives,
/// Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692.
[[nodiscard]] bool ReduceIndex(System& system,
                               const SortProblem& problem,
                               const StartTable& starts);

}  // namespace orrery::compile::internal
