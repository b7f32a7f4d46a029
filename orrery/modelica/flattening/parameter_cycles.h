#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Decides choices in the values of parameters that would depend on each other
/// in a cycle, as those of
///     parameter Real T = if use_T then 300 else h/c;
///     parameter Real h = if use_T then c*T else 0;
/// by what is known now: what decides them shapes the model then.
void CutParameterCycles(Session& session);

}  // namespace orrery::modelica::internal
