#pragma once

// The start of a run.

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Resets the progress of the run.
void ResetRun(RunState& run);

/// As ProgramRun::Start.
void StartRun(RunState& run);

}  // namespace orrery::sim::internal
