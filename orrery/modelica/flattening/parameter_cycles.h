#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Evaluates conditions in the bindings of parameters that would depend on each
/// other in a cycle, as in
///     parameter Real T = if use_T then 300 else h/c;
///     parameter Real h = if use_T then c*T else 0;
/// Known conditions are decided; their parameters then shape the model.
void CutParameterCycles(Session& session);

}  // namespace orrery::modelica::internal
