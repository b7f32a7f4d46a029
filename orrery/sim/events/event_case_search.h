#pragma once

// Equations of an event whose unknowns include relations and discrete
// quantities.

#include <span>

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// Runs `schedule` until the iterates agree with their results.
/// @param start kMemory, or kAccepted to search solutions nearby only.
/// @returns false after an error, told in `outcome`.
bool SolveEventEquations(
    EventState& state,
    const Schedule& schedule,
    std::span<const Iterate> iterates,
    EventOutcome& outcome,
    ProgramEvaluator::LoopStart start = ProgramEvaluator::LoopStart::kMemory);

}  // namespace orrery::sim::internal
