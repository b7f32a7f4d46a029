#pragma once

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// The value of an if-expression: of the branch that is known to hold, or a
/// choice between several.
Value LowerIfExpression(LoweringContext& context,
                        const ast::IfExpression& choice,
                        const ast::Span& span);

}  // namespace orrery::modelica::internal
