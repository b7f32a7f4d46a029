#pragma once

#include <memory>
#include <span>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery::internal {

/// The differential of an elementwise operation, given those of its operands
/// (a scalar constant 0 stands for none of any shape). It is linear in them.
[[nodiscard]] Expr DifferentiateOp(Expr node, std::span<const Expr> tangents);

/// `tangent` with the shape of `node`: a differential that is the same for all
/// elements is spread out. The constant 0 stays as it is.
[[nodiscard]] Expr WithShapeOf(Expr node, Expr tangent);

/// The differential of output `node` of a call whose arguments have `tangents`.
[[nodiscard]] Expr DifferentiateOutput(Expr node,
                                       std::span<const Expr> tangents);

/// The function of the inputs of `function` and then the tangents of its Real
/// inputs that gives the tangents of its Real outputs.
[[nodiscard]] std::shared_ptr<const Function> TangentFunction(
    ExprGraph& graph, const std::shared_ptr<const Function>& function);

/// The derivative of `function` in a direction, by central differences.
/// @param inputs the point and then the direction.
void CentralDifference(const OpaqueFunction& function,
                       std::span<const double> inputs,
                       std::span<double> outputs);

}  // namespace orrery::internal
