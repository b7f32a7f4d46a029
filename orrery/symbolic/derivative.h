#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery {

/// Exact symbolic differentiation of formulas of one graph, arrays and loops
/// included (a loop's derivative is a loop). Shared nodes are visited once over
/// the life of the object.
///
/// Where a function has no derivative (abs, sign, floor, min, max, select at
/// the switching point) the one of the branch taken counts. A user's function
/// is differentiated statement by statement into a function of inputs and their
/// tangents. An opaque function cannot be: the result holds the formula for a
/// central difference instead (documented in `Opaque`).
class Tangent {
 public:
  /// @param seeds the derivative of each given symbol or array element
  ///     (kIndex of a symbol by constants), by its id; all others are constant.
  Tangent(ExprGraph& graph, std::unordered_map<std::uint32_t, Expr> seeds);

  /// d expr, a formula of the same shape; the constant 0 where it does not
  /// depend on a seed.
  [[nodiscard]] Expr Of(Expr expr);

 private:
  ExprGraph& graph_;
  std::unordered_map<std::uint32_t, Expr> known_;
};

/// The partial derivatives of the scalar formula `of` with respect to each of
/// `with_respect_to` (scalar symbols or array elements), by one sweep from the
/// result to the leaves: the cost is a small multiple of the formula's size,
/// whatever the number of variables. Scalar formulas without loops only (take
/// `Elements` first).
/// Source: reverse accumulation; Griewank and Walther, Evaluating Derivatives,
/// 2nd ed., section 3.2.
[[nodiscard]] std::vector<Expr> Gradient(Expr of,
                                         std::span<const Expr> with_respect_to);

}  // namespace orrery
