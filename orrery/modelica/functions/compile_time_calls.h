#pragma once

#include <optional>
#include <vector>

#include "orrery/modelica/values/lowering_context.h"

/// Calls of library functions that are implemented in C and known here.
namespace orrery::modelica::internal {

/// The values of a call of a function that is known here; none for another one.
std::optional<std::vector<Value>> CallKnown(LoweringContext& context,
                                            const Callee& callee,
                                            const ast::Call& call,
                                            const ast::Span& span);

}  // namespace orrery::modelica::internal
