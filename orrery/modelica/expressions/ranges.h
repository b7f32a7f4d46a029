#pragma once

#include <optional>

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// The vector that a range stands for.
Value LowerRange(LoweringContext& context,
                 const ast::Range& range,
                 const ast::Span& span);

/// A range of whole numbers; none if its bounds are others.
std::optional<orrery::Range> LowerIntegerRange(LoweringContext& context,
                                               const ast::Range& range,
                                               const ast::Span& span);

/// The enumeration whose literals a range goes through; null if there is none.
const ClassNode* EnumerationOf(LoweringContext& context,
                               const ast::Range& range,
                               const ast::Span& span);

}  // namespace orrery::modelica::internal
