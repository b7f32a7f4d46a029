#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/node_index.h"
#include "orrery/symbolic/statement.h"

namespace orrery::model::internal {

/// Copies formulas from one graph to another. Remembers the copy of each node:
/// any number of calls together visit a shared node once.
class GraphCopy {
 public:
  explicit GraphCopy(ExprGraph& to) : to_(to) {}

  /// Maps a symbol to `to`. A symbol without mapping is copied.
  void Add(Expr from, Expr to) { done_.Insert(from.id(), to.id()); }

  /// The copy; empty for an empty handle. All formulas must be of one graph.
  [[nodiscard]] Expr Copy(Expr from);
  [[nodiscard]] std::vector<Expr> Copy(const std::vector<Expr>& from);

 private:
  using FunctionHandle = std::shared_ptr<const Function>;

  [[nodiscard]] Expr Rebuild(Expr node);
  [[nodiscard]] FunctionHandle Copy(const FunctionHandle& from);
  [[nodiscard]] Statements Copy(const Statements& from);
  [[nodiscard]] Assignment CopyStep(const Assignment& step);
  [[nodiscard]] IfStatement CopyStep(const IfStatement& step);
  [[nodiscard]] ForStatement CopyStep(const ForStatement& step);
  [[nodiscard]] WhileStatement CopyStep(const WhileStatement& step);
  [[nodiscard]] AssertStatement CopyStep(const AssertStatement& step);

  ExprGraph& to_;
  NodeIndex done_;  // The copy's id of each node.
  std::unordered_map<const Function*, FunctionHandle> functions_;
  std::vector<Expr> operands_;
};

}  // namespace orrery::model::internal
