#pragma once

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// `a` where the condition holds, else `b`. Both are of one type and shape.
Value ChooseValue(LoweringContext& context,
                  Expr condition,
                  const Value& a,
                  const Value& b,
                  const ast::Span& span);

}  // namespace orrery::modelica::internal
