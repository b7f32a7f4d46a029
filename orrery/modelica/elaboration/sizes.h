#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Finds the sizes of a component of known type, unless it has them (those of a
/// function's argument): as declared, or where that is ':', as those of its
/// value. Throws Abandoned, having reported why, also if the component or all
/// copies of it in arrays of components are more than there may be.
void FindSizes(Session& session, Component& component);

}  // namespace orrery::modelica::internal
