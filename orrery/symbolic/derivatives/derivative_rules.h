#pragma once

#include <span>

#include "orrery/symbolic/graph.h"

namespace orrery::symbolic::internal {

/// Returns the differential of an elementwise operation, linear in those of its
/// operands. A scalar constant 0 stands for a zero differential of any shape.
[[nodiscard]] Expr DifferentiateOp(Expr node, std::span<const Expr> tangents);

/// Returns `tangent` with the shape of `node`: a scalar differential is
/// repeated for all elements. The constant 0 stays as it is.
[[nodiscard]] Expr WithShapeOf(Expr node, Expr tangent);

}  // namespace orrery::symbolic::internal
