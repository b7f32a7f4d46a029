#pragma once

// The sliding motions of a run, and events that follow each other without end.

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Makes what sliding motions need, before the first one.
void PrepareSliding(RunState& run);

/// Notes an event, and ends the run if events follow each other without end.
/// Gives up kinks and calms relations that come back at once.
bool WatchPace(RunState& run);

/// After a Zeno point: checks that the model holds the state at rest, as long
/// as nothing new happens. Else it would fall through the floor.
bool KeepsRest(RunState& run);

/// Continues or begins to slide after an event that led to x.
bool ResumeSliding(RunState& run,
                   const EventOutcome& outcome,
                   bool was_sliding);

/// Moves the states back to the surface of the sliding motion after a step.
bool CorrectSliding(RunState& run);

}  // namespace orrery::sim::internal
