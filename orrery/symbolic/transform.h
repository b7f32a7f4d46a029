#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery {

/// Formulas by the id of the formula they replace (any node, not only
/// symbols).
using Replacements = std::unordered_map<std::uint32_t, Expr>;

/// Rewrites formulas of one graph, remembering what each node became, so that
/// any number of calls together visit a shared node once. The replacements may
/// grow between calls only by nodes that no earlier call has met.
class Substitution {
 public:
  /// @param replacements are taken as they are, not substituted again.
  Substitution(ExprGraph& graph, Replacements replacements);

  [[nodiscard]] Expr Apply(Expr expr);

  void Add(Expr from, Expr to);

 private:
  ExprGraph& graph_;
  Replacements done_;
};

/// The element of `expr` at `subscripts` (from 1, one for each dimension) as a
/// scalar formula: loops are unrolled, arrays taken apart. An array symbol
/// becomes kIndex of the symbol by constants, whose id names the element.
/// Remembers what it has taken apart; use one for many elements.
class Elements {
 public:
  explicit Elements(ExprGraph& graph) : graph_(graph) {}

  [[nodiscard]] Expr At(Expr expr, std::span<const std::int64_t> subscripts);

  /// All elements, row-major; the formula itself for a scalar (in which the
  /// arrays under reductions and subscripts are resolved as well).
  [[nodiscard]] std::vector<Expr> All(Expr expr);

 private:
  ExprGraph& graph_;
  std::unordered_map<std::uint64_t, Expr> known_;
};

/// The ids of all nodes that `exprs` consist of, ascending: a valid order of
/// evaluation. Calls `visit` never twice for a node. Linear in the number of
/// nodes reached (not in the size of the graph).
[[nodiscard]] std::vector<std::uint32_t> Reachable(std::span<const Expr> exprs);

}  // namespace orrery
