#pragma once

// The course of a run in which only clocks make events and nothing moves
// between their ticks.

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// After the event of the start. Most ticks have a note, and two rows for their
/// limits.
void PrepareTicks(RunState& run);

/// Passes the next tick, as `AdvanceTo` would.
bool PassTick(RunState& run);

}  // namespace orrery::sim::internal
