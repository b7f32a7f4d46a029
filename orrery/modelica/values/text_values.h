#pragma once

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// A text with its present values, which must be known and become structural;
/// other values unchanged.
Value KnownText(LoweringContext& context,
                const Value& value,
                const ast::Span& span);

/// `a` before `b`.
Value JoinTexts(LoweringContext& context,
                const Value& a,
                const Value& b,
                const ast::Span& span);

}  // namespace orrery::modelica::internal
