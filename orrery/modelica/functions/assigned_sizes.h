#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Gives an array of a function that is declared without sizes and value, as
/// `Real x[:]`, the sizes of the first value that a statement assigns to all of
/// it (specification 3.6, section 12.4.5). Does nothing if there is none.
void TakeAssignedSizes(Session& session, Component& component);

}  // namespace orrery::modelica::internal
