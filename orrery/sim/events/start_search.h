#pragma once

// The search of the start of a run.

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// Leaves the start in memory, from the start values there. If the model has
/// homotopy(), the solution with the simplified formulas is followed, as a part
/// of the actual ones that grows from 0 to 1 takes their place. Of several
/// solutions, the one at its end is taken. If the path ends before, the start
/// is the solution of the actual equations near the start values. A start at
/// which both agree has the bits that it has without homotopy(). Source:
/// Modelica Language Specification 3.6, section 3.7.4.4.
/// @returns false if no start is found, told in `outcome`.
bool SearchStart(EventState& state, EventOutcome& outcome);

}  // namespace orrery::sim::internal
