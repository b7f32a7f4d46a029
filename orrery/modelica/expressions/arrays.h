#pragma once

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// An array as `{a, b}` or `{f(i) for i in 1:n}`.
Value LowerArray(LoweringContext& context,
                 const ast::ArrayConstructor& array,
                 const ast::Span& span);

/// A matrix as `[a, b; c, d]`.
Value LowerMatrix(LoweringContext& context,
                  const ast::MatrixConstructor& matrix,
                  const ast::Span& /*span*/);

}  // namespace orrery::modelica::internal
