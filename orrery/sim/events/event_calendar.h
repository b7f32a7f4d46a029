#pragma once

// Events at known times: ticks of clocks, and thresholds of time.

#include <cstddef>
#include <vector>

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// Finds the first tick of a clock from `t` on.
/// @returns kDone, or what is wrong with the clock.
[[nodiscard]] EventOutcome::Kind StartTicks(EventState& state,
                                            std::size_t tick,
                                            double t);

/// Makes the ticks that are due at `t` true, and finds the next ones.
/// @returns false after an error, told in `outcome`.
bool RaiseTicks(EventState& state, double t, EventOutcome& outcome);

/// Makes all ticks false.
/// @returns true if one was true.
bool LowerTicks(EventState& state);

/// Approximate number of ticks up to time `until`.
[[nodiscard]] std::size_t CountTicks(const EventState& state, double until);

/// Finds the next known time of an event after `t`.
void FindNextTime(EventState& state, double t);

/// Finds the thresholds that are due at `t`.
void FindDueThresholds(EventState& state, double t);

/// Notes due thresholds that the event has moved, as one that moves its next
/// time.
void NoteMovedThresholds(EventState& state, double t);

/// Notes thresholds that are reached, without changes just after the run's end.
void NoteThresholds(EventState& state, double t);

/// True if a threshold is at `t`.
[[nodiscard]] bool IsThreshold(const EventState& state, double t);

/// For each threshold and tick that is due at `t`: the terms of that time.
[[nodiscard]] std::vector<std::vector<TimeTerm>> DueTimes(
    const EventState& state, double t);

}  // namespace orrery::sim::internal
