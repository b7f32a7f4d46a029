#pragma once

// The events of a run.

#include <span>

#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// The function of EventEngine that carries out an event.
using EventRunner = EventOutcome (EventEngine::*)(double);

/// Carries out the event at t. Records its left and its right limit if they
/// differ in the recorded signals, else one row if the event is logged.
bool HandleEvent(RunState& run,
                 EventRunner runner = &EventEngine::Run,
                 std::span<const double> beyond = {});

/// Records the left limit of an event, if it was kept and its time has no row.
void RecordLeftLimit(RunState& run);

/// Records the limits of an event if they differ; else the right one, if the
/// event is noted in the log and its time has no row.
void RecordEvent(RunState& run, bool is_noted);

/// Goes on unless the outcome ends the run.
bool FinishEvent(RunState& run, const EventOutcome& outcome);

}  // namespace orrery::sim::internal
