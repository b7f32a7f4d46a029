#pragma once

// Relations that change back and forth, and quantities that change without end.

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// After an event: gives up watching kinks that come back at once, again and
/// again. Their operands are less apart than the tolerance, and each event
/// would hold up the motion that leads away.
/// @returns true if there are such kinks.
bool GiveUpChatteringKinks(EventState& state, EventSpacing spacing);

/// Lets the equations see relations that are given up as they are.
void ReleaseGivenUp(EventState& state);

/// After an event in which relations have changed: calms those that flicker
/// within a tie, so that they change again only beyond one. Rounding of the
/// states decides there, as for elements in series with a diode whose current
/// ends. A relation that flickers nevertheless is left to chatter.
void CalmChattering(EventState& state);

/// After kEndless: finds the quantities that change without end.
[[nodiscard]] EventCauses FindChattering(EventState& state);

}  // namespace orrery::sim::internal
