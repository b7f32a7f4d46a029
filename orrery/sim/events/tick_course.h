#pragma once

// The events of runs in which only clocks make events: the relevant part of
// `RunEvent`, in the same order.

#include "orrery/sim/events/event_state.h"

namespace orrery::sim::internal {

/// True if clocks alone make events, which run only handlers and equations
/// without loops. Then `RunTickEvent` may replace `RunEvent` at all ticks but
/// those at the start.
[[nodiscard]] bool HasOnlyTicks(const EventState& state);

/// Carries out the ticks at `t`.
EventOutcome RunTickEvent(EventState& state, double t);

}  // namespace orrery::sim::internal
