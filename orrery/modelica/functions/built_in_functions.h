#pragma once

#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// True if an external function is bound to a predefined function of the
/// language, as in `external "builtin" y = sin(x)`.
[[nodiscard]] bool IsBuiltIn(const ast::External& external);

/// Gives `function`, whose variables are declared, the call of the built-in
/// function behind `node` as its body. Throws Abandoned.
void LowerBuiltIn(Session& session,
                  ClassNode& node,
                  Instance& instance,
                  Function& function);

}  // namespace orrery::modelica::internal
