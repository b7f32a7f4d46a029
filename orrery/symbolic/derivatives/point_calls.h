#pragma once

#include <span>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/node_index.h"

namespace orrery {

/// Takes calls of functions out of directional derivatives where they depend
/// on the point only: one for all directions. What only some choices evaluate
/// stays, as do calls in loops.
class PointCalls {
 public:
  explicit PointCalls(ExprGraph& graph) : graph_(graph) {}

  /// Declares a symbol, or an array, as a part of the direction.
  void AddDirection(Expr symbol) { directed_.Insert(symbol.id(), 1); }

  /// A scalar output of a call, and the symbol that takes its place.
  struct Taken {
    Expr symbol;
    Expr output;
  };

  /// Replaces such outputs in `values`. Called once.
  [[nodiscard]] std::vector<Taken> TakeOut(std::span<Expr> values);

 private:
  void FindDirected(std::span<const Expr> values);
  void Visit(Expr value);

  [[nodiscard]] bool IsDirected(Expr node) const {
    return directed_.Find(node.id()) != NodeIndex::kNone;
  }

  ExprGraph& graph_;
  NodeIndex directed_;  // Nodes that depend on the direction.
  NodeIndex visited_;
  std::vector<Expr> outputs_;  // Of calls that are taken out.
};

}  // namespace orrery
