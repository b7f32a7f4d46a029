#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "orrery/symbolic/derivatives/call_rules.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery::symbolic::internal {

/// True if differentials of the call's outputs by this rule need that of
/// argument `i`.
[[nodiscard]] bool NeedsTangent(Expr call, std::size_t i, CallRule rule);

/// Returns the differential of output `node` of a call, whose arguments have
/// `tangents`.
[[nodiscard]] Expr DifferentiateOutput(Expr node,
                                       std::span<const Expr> tangents,
                                       CallRule rule);

/// Returns the derivative of the scalar output `node` by the scalar argument
/// `i` of its call. Derivatives of all outputs by one argument share a call.
[[nodiscard]] Expr PartialOfOutput(Expr node, std::size_t i, CallRule rule);

/// Returns the function that computes the tangents of the Real outputs of
/// `function`. Its inputs are those of `function`, then the tangents of the
/// Real ones.
[[nodiscard]] std::shared_ptr<const Function> TangentFunction(
    ExprGraph& graph, const std::shared_ptr<const Function>& function);

/// The derivative of `function` in a direction: its exact one, or else by
/// central differences.
/// @param inputs the point and then the direction.
void Differentiate(const OpaqueFunction& function,
                   std::span<const double> inputs,
                   std::span<double> outputs);

}  // namespace orrery::symbolic::internal
