#pragma once

// The step of a run.

#include <optional>

#include "orrery/sim/run/run_state.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::sim::internal {

/// The next integration of `ProgramRun::Step`: `until` and `limit` are those of
/// TimeIntegrator::StepUntil.
struct StepPlan {
  TimeIntegrator& integrator;
  double until;
  double limit;
};

/// Advances the run by one step towards `limit`, or to an event before it,
/// which is completed.
/// @param foreseeable time up to which nobody changes anything.
/// @returns true if there is more to do before `limit`.
bool AdvanceTo(RunState& run, double limit, double foreseeable);

/// As ProgramRun::PlanStep.
std::optional<StepPlan> PlanStep(RunState& run, double limit);

/// Records the operands of delays up to t.
bool RecordDelays(RunState& run);

}  // namespace orrery::sim::internal
