#pragma once

#include <span>

#include "orrery/modelica/values/lowering_context.h"

/// Reductions and comprehensions, as sum(v[i] for i in 1:k). They are loops of
/// formulas where the range is known. In functions, only the run may know it.
namespace orrery::modelica::internal {

/// Reduces the values of `body` by `op`; the last iterator is the outermost.
Value LowerReduction(LoweringContext& context,
                     const ast::Expression& body,
                     std::span<const ast::ForIndex> iterators,
                     Op op,
                     const ast::Span& span);

}  // namespace orrery::modelica::internal
