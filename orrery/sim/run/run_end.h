#pragma once

// The end of a run and its explanation.

#include "orrery/results/trajectory.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/run/run_state.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::sim::internal {

/// Ends the run for a reason; always returns false. The first reason counts.
/// After somebody has asked for an end, that is the reason of all failures.
bool EndRun(RunState& run, const Explanation& why);

/// Ends the run because a step failed; records the last point reached.
bool EndStep(RunState& run, const StepResult& result);

/// Sums up the run so far.
/// @param trajectory the recorded rows.
[[nodiscard]] Summary MakeSummary(const RunState& run,
                                  const Trajectory& trajectory);

}  // namespace orrery::sim::internal
