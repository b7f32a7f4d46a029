#pragma once

#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// Makes a call of the C or Fortran function of `node` the body of `function`,
/// whose variables are declared (specification 3.6, section 12.9). Throws
/// Abandoned.
void LowerExternal(Session& session,
                   ClassNode& node,
                   Instance& instance,
                   Function& function);

}  // namespace orrery::modelica::internal
