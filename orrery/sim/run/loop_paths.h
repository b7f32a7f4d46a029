#pragma once

// Follows the solutions of algebraic loops from step to step. Where a solution
// ends, the run goes on with another one.

#include <vector>

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Keeps the solutions at the begin of a step, to compare later ones with them.
void BeginLoopPath(RunState& run);

/// True if the loops that derivatives depend on came without a jump to a
/// solution at the end of the step at hand. True as well if relations change
/// within the step: the events then decide about the loops.
bool KeepLoops(RunState& run, double reached);

/// Ends the step at hand where its loops jump.
bool RetakeForLoops(RunState& run, double reached);

/// Solves loops that no derivative depends on at each step, too. Else their
/// starting points would depend on who looks at them.
/// @param before begin of the step.
bool FollowLoops(RunState& run, double before);

/// Passes the end of a loop's solution, which ends a step: the way there is
/// halved until the end is as good as reached.
/// @param t time of the failure, for the states x.
bool PassLostSolution(RunState& run, double t, const std::vector<double>& x);

}  // namespace orrery::sim::internal
