#pragma once

#include "orrery/symbolic/graph.h"

namespace orrery::symbolic::internal {

/// Returns a simpler formula equal to `op` applied to these operands, or none.
/// Equal means: the same shape and, wherever the value is defined, the same
/// bits up to the sign of zero.
/// @param type of the operation's result.
[[nodiscard]] Expr SimplifyUnary(Op op, Expr a);
[[nodiscard]] Expr SimplifyBinary(Op op, Expr a, Expr b, ValueType type);
[[nodiscard]] Expr SimplifySelect(Expr condition, Expr if_true, Expr if_false);

}  // namespace orrery::symbolic::internal
