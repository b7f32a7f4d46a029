#pragma once

// Attempts at a step: its limits, steps taken again, failures on the way.

#include <span>

#include "orrery/sim/run/run_state.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::sim::internal {

/// Restarts the integration, if needed, before it goes on.
void BeginPiece(RunState& run);

/// Limit on the next step, at most `limit`: up to there the equations are
/// smooth and can be evaluated.
[[nodiscard]] double StepLimit(RunState& run, double change, double limit);

/// The time up to which nobody looks at the steps: t if each is looked into,
/// the next double if each has a row.
[[nodiscard]] double NextObservation(const RunState& run, double end);

/// Takes a step, unless one has reached beyond its limit.
StepResult TakeStep(RunState& run, double limit, double end);

/// Takes the step again if it and its polynomials are wrong.
StepResult EndAtEvents(RunState& run, StepResult result);

/// Passes a failure to evaluate the equations that is due to a change of a
/// relation, as after the end of `if h > 0 then sqrt(h) else 0`. The way there
/// is halved until the event is as good as reached. It then takes place. If
/// time changes the relation, it does so when the way is too short to be
/// halved.
/// @returns false if the failure stands.
bool PassFailure(RunState& run);

/// True if a relation at (t, x) differs from its value at the last event.
bool HasChangedAt(RunState& run, double t, std::span<const double> x);

}  // namespace orrery::sim::internal
