#pragma once

#include <string>

#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// The clock of a when-clause; empty if it is not a clocked clause.
[[nodiscard]] Expr ClockOf(LoweringContext& context,
                           const ast::When<ast::Equation>& clause);

/// The activation of a branch with this condition; each of several conditions
/// activates it. New variables and events are called `name`.
[[nodiscard]] Expr Activation(LoweringContext& context,
                              const ast::Expression& condition,
                              const std::string& name);

}  // namespace orrery::modelica::internal
