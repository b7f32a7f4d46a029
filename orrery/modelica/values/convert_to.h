#pragma once

#include <string>

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// `value`, checked to fit a variable of `type` and, unless it is null,
/// `shape`. Scalars do not fit arrays.
/// @param what names the variable, for reports.
Value ConvertTo(LoweringContext& context,
                Value value,
                ClassNode* type,
                const Shape* shape,
                const ast::Span& span,
                const std::string& what);

}  // namespace orrery::modelica::internal
