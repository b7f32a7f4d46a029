#pragma once

// Events within a step, where relations change.

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Passes the events where relations change up to `reached`, until one makes
/// the rest of the step invalid.
bool PassChanges(RunState& run, double reached, double end);

/// Stops after an event whose changes others have to see.
void CheckWatches(RunState& run);

}  // namespace orrery::sim::internal
