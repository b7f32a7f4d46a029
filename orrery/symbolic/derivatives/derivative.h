#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/node_index.h"

namespace orrery {

struct Function;

namespace symbolic::internal {
class CallRules;
}

/// Exact symbolic differentiation of formulas of one graph, arrays and loops
/// included (a loop's derivative is a loop). Shared nodes are visited once over
/// the life of the object.
///
/// The derivative that a function has of its own counts where it holds: where
/// what it spares follows from the other arguments.
///
/// At points without a derivative (of abs, sign, floor, min, max, select at the
/// switching point), the derivative of the branch taken counts. A user's
/// function is differentiated statement by statement into a function of inputs
/// and their tangents, once for the graph. The result calls the exact
/// derivative of an opaque function. One without is differentiated by central
/// differences, sum over j of dx_j (f(x + h_j e_j) - f(x - h_j e_j)) / (2 h_j)
/// with h_j = cbrt(epsilon) max(s_j, |x_j|) and the typical size s_j of x_j, 1
/// if not given. Their relative error is about 1e-10 for a smooth f.
class Tangent {
 public:
  explicit Tangent(ExprGraph& graph);

  /// @param seeds the derivative of each given symbol, array element (kIndex of
  ///     a symbol by constants) or other formula, by its id; all others are
  ///     constant.
  Tangent(ExprGraph& graph,
          const std::unordered_map<std::uint32_t, Expr>& seeds);

  /// Gives `of` another derivative than 0. No call of `Of` may have met it
  /// before.
  void Seed(Expr of, Expr tangent);

  /// Declares that all formulas belong to the function, which must outlive the
  /// object.
  void ReadIn(const Function& function);

  /// Writes the differential of a scalar output of a call as the sum of its
  /// partial derivatives times the differentials of arguments, if these are
  /// scalars and at most `most` vary. Such partial derivatives do not depend on
  /// the seeds: whoever needs many directions computes them once.
  void TakePartials(std::size_t most) noexcept { most_partials_ = most; }

  /// Returns d expr, a formula of the same shape; the scalar constant 0 if expr
  /// does not depend on a seed.
  [[nodiscard]] Expr Of(Expr expr);

 private:
  Expr Differentiate(Expr node);
  Expr OfSymbol(Expr symbol);
  Expr OfParts(Expr node);
  Expr OfReduction(Expr node);
  Expr OfOutput(Expr node);
  [[nodiscard]] bool HasPartials(Expr node,
                                 std::span<const Expr> tangents) const;

  [[nodiscard]] Expr Known(Expr expr) const {
    return graph_.At(known_.Find(expr.id()));
  }

  ExprGraph& graph_;
  std::shared_ptr<symbolic::internal::CallRules> rules_;
  NodeIndex known_;  // Ids of differentials.
  std::vector<Expr> stack_;
  std::size_t most_partials_ = 0;
  /// The seeds of an array's elements by the array symbol's id.
  std::unordered_map<std::uint32_t, std::vector<std::pair<Expr, Expr>>>
      element_seeds_;
};

/// Returns the partial derivatives of the scalar formula `of` with respect to
/// each of `with_respect_to` (scalar symbols or array elements). One sweep from
/// the result to the leaves costs a small multiple of the formula's size,
/// whatever the number of variables. Formulas with arrays or loops, such as
/// arguments of functions, cost as much for each variable.
/// @throws Error kInvalidArgument for an array.
/// Source: reverse accumulation; Griewank and Walther, Evaluating Derivatives,
/// 2nd ed., section 3.2.
[[nodiscard]] std::vector<Expr> Gradient(Expr of,
                                         std::span<const Expr> with_respect_to);

}  // namespace orrery
