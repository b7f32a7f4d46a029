#pragma once

#include <memory>
#include <span>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery::symbolic::internal {

/// Returns the differential of an elementwise operation, linear in those of its
/// operands. A scalar constant 0 stands for a zero differential of any shape.
[[nodiscard]] Expr DifferentiateOp(Expr node, std::span<const Expr> tangents);

/// Returns `tangent` with the shape of `node`: a scalar differential is
/// repeated for all elements. The constant 0 stays as it is.
[[nodiscard]] Expr WithShapeOf(Expr node, Expr tangent);

/// Returns the differential of output `node` of a call, whose arguments have
/// `tangents`.
[[nodiscard]] Expr DifferentiateOutput(Expr node,
                                       std::span<const Expr> tangents);

/// Returns the function that computes the tangents of the Real outputs of
/// `function`. Its inputs are those of `function`, then the tangents of the
/// Real ones.
[[nodiscard]] std::shared_ptr<const Function> TangentFunction(
    ExprGraph& graph, const std::shared_ptr<const Function>& function);

/// The derivative of `function` in a direction, by central differences.
/// @param inputs the point and then the direction.
void CentralDifference(const OpaqueFunction& function,
                       std::span<const double> inputs,
                       std::span<double> outputs);

}  // namespace orrery::symbolic::internal
