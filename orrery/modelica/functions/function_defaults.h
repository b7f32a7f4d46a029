#pragma once

#include <vector>

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Gives inputs of a function without an argument their defaults.
void AddDefaults(Session& session,
                 const Callee& callee,
                 std::vector<Value>& arguments);

}  // namespace orrery::modelica::internal
