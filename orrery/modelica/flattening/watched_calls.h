#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Makes an event of each change of a Boolean or an Integer that a function
/// (an algorithm, too) finds from what moves between events, as
///     b = 0.5 < (if f(time) then 1 else 0)
///     n = integer(g(time) + 0.5)
/// do. Relations in a function make no events, so that nothing else would tell
/// that b and n, which are held between events, are to be computed anew. What
/// only when-clauses assign is left as it is.
void WatchCalls(Session& session);

}  // namespace orrery::modelica::internal
