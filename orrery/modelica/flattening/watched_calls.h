#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Makes an event of each change of a Boolean or an Integer that a function
/// (also an algorithm) computes from continuous variables, as
///     b = 0.5 < (if f(time) then 1 else 0)
///     n = integer(g(time) + 0.5)
/// do. Relations within a function make no events, so without this nothing
/// would update the discrete variables b and n. Variables that only
/// when-clauses assign stay unchanged.
void WatchCalls(Session& session);

}  // namespace orrery::modelica::internal
