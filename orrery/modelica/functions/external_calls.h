#pragma once

#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// Gives `function`, whose variables are declared, the call of the C or Fortran
/// function that stands behind `node` as its body (specification 3.6, section
/// 12.9). Throws Abandoned.
void LowerExternal(Session& session,
                   ClassNode& node,
                   Instance& instance,
                   Function& function);

}  // namespace orrery::modelica::internal
