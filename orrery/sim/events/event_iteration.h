#pragma once

// The microsteps of an event: equations, handlers, resets, checks.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// Runs the initialization from the start values that are in memory and finds
/// the times of ticks from `t` on.
EventOutcome InitializeEvents(EventState& state, double t);

/// Carries out the event at time `t`. Ticks and thresholds may be due,
/// relations may have changed, inputs may have jumped; or none of that.
EventOutcome RunEvent(EventState& state, double t);

/// @returns true if another microstep has to follow.
bool RunMicrostep(EventState& state, EventOutcome& outcome);

/// Copies values to those of the microstep before.
void CopyPre(EventState& state, std::span<const PreValues> all);

/// True if a discrete value differs from that of the microstep before.
[[nodiscard]] bool HasPreChanged(const EventState& state,
                                 std::span<const PreValues> all);

/// Makes handlers due whose conditions hold: now, or after those that are.
void QueueHandlers(EventState& state);

/// Runs the handlers that are due, up to one that has to see what the others
/// did.
bool RunHandlers(EventState& state, EventOutcome& outcome);

/// Runs one handler and makes its assignments.
std::optional<Failure> RunHandler(EventState& state, std::size_t number);

/// Keeps the failure of a schedule.
/// @returns false.
bool FailEvent(EventState& state,
               const Failure& failure,
               EventOutcome& outcome);

/// Computes in memory what an event at the time and states there would lead
/// to, and the values of the relations in `truths`. Nothing is noted. The
/// run's own event state stays. The caller restores memory.
/// @returns false if the event would reset a state, end the run or have no
///     end.
bool ProbeEvent(EventState& state, std::span<std::uint8_t> truths);

}  // namespace orrery::sim::internal
