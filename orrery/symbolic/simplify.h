#pragma once

#include "orrery/symbolic/graph.h"

namespace orrery::internal {

/// An equal formula that is simpler than `op` applied to these operands, or
/// none. Equal means: the same bits, up to the sign of zero, wherever the value
/// is defined, and the same shape.
/// @param type of the operation's result.
[[nodiscard]] Expr SimplifyUnary(Op op, Expr a);
[[nodiscard]] Expr SimplifyBinary(Op op, Expr a, Expr b, ValueType type);
[[nodiscard]] Expr SimplifySelect(Expr condition, Expr if_true, Expr if_false);

}  // namespace orrery::internal
