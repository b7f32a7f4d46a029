#pragma once

// The constraints between states in a run.

#include <cstddef>
#include <optional>

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Makes the projection onto the constraints, if there are any.
void PrepareConstraints(RunState& run);

/// Moves free start values onto the constraints, after the start was
/// determined.
bool StartOnConstraints(RunState& run);

/// Notes a state that was set: others that are bound to it have to follow.
void NoteSetState(RunState& run, std::size_t state);

/// Notes states that an event has set, beside those set from outside.
void NoteSetStates(RunState& run);

/// Projects the states x at t, to which a step has led.
bool ReturnToConstraints(RunState& run);

/// Projects the states x at t, to which an event has led.
bool KeepConstraints(RunState& run);

/// The directions of sensitivities in which a projection moves; none without
/// sensitivities.
[[nodiscard]] std::optional<ConstraintProjection::Directions> DirectionsOf(
    RunState& run);

}  // namespace orrery::sim::internal
