#pragma once

#include <limits>
#include <span>

#include "orrery/symbolic/graph.h"

namespace orrery::symbolic::internal {

/// Returns the operation of `node`, with its payload (function, output number,
/// ...), on other operands. A leaf is itself.
[[nodiscard]] Expr Rebuild(ExprGraph& graph,
                           Expr node,
                           std::span<const Expr> operands);

/// Returns an array of `shape` with `scalar` in every element; the scalar
/// itself if `shape` is a scalar's.
[[nodiscard]] Expr Broadcast(Expr scalar, const Shape& shape);

/// Value of a reduction over no elements: 0, 1, and for kMinimum and kMaximum
/// the greatest and the least finite number.
[[nodiscard]] constexpr double EmptyReduction(Op op) noexcept {
  switch (op) {
    case Op::kSum:
      return 0;
    case Op::kProduct:
      return 1;
    case Op::kMinimum:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<double>::lowest();
  }
}

/// The elementwise operation that a reduction repeats.
[[nodiscard]] constexpr Op ReductionStep(Op op) noexcept {
  switch (op) {
    case Op::kSum:
      return Op::kAdd;
    case Op::kProduct:
      return Op::kMultiply;
    case Op::kMinimum:
      return Op::kMin;
    default:
      return Op::kMax;
  }
}

[[nodiscard]] constexpr bool IsReduction(Op op) noexcept {
  return op == Op::kSum || op == Op::kProduct || op == Op::kMinimum ||
         op == Op::kMaximum;
}

}  // namespace orrery::symbolic::internal
