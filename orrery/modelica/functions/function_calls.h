#pragma once

#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Calls of functions that are written in Modelica.
namespace orrery::modelica::internal {

/// The outputs of a call of a function.
std::vector<Value> CallFunction(LoweringContext& context,
                                Callee callee,
                                const ast::Call& call,
                                const ast::Span& span);

}  // namespace orrery::modelica::internal
