#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Lets a component that is declared outer stand for the inner one around it
/// (specification 3.6, section 5.4). False if there is none, and it may be one
/// of its own. Throws Abandoned, having reported why.
[[nodiscard]] bool TakeInner(Session& session, Component& component);

}  // namespace orrery::modelica::internal
