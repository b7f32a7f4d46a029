#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// The formulas over a model's variables that an algorithm reads, under the
/// names of its function.
class LocalReads {
 public:
  explicit LocalReads(ExprGraph& graph) : graph_(graph) {}

  /// The function's symbol for a formula of the model: a variable, der() or
  /// pre() of one, a relation.
  Expr Of(Expr outer);

  /// Makes `local`, a symbol of the function, stand for one.
  void Add(Expr local, Expr outer);

  /// What a symbol stands for; empty if it is none of these.
  [[nodiscard]] Expr OuterOf(Expr local) const;

  /// The model's formulas, in the order of their first use.
  [[nodiscard]] const std::vector<Expr>& read() const noexcept { return read_; }

  [[nodiscard]] ExprGraph& graph() noexcept { return graph_; }

 private:
  ExprGraph& graph_;
  std::unordered_map<std::uint32_t, Expr> local_of_;
  std::unordered_map<std::uint32_t, Expr> outer_of_;
  std::vector<Expr> read_;
};

/// Relations and functions with jumps or kinks whose operands the algorithm
/// does not change become arguments of it, where the model sees them as events;
/// so does not what could fail because no condition guards it any more. Takes
/// noEvent() away.
/// @param changing the model's variables that the algorithm assigns.
/// @param whens the numbers of the if-statements in `body` that were
///     when-statements: their branches are taken at events only.
void LiftRelations(LocalReads& locals,
                   std::span<const Expr> changing,
                   std::span<const std::size_t> whens,
                   Statements& body);

/// Whether it has a value whatever its operands are.
[[nodiscard]] bool IsTotal(Op op);

/// The statement in for-statements with these iterators, the first outermost.
[[nodiscard]] Statement InLoops(Statement statement,
                                std::span<const Expr> iterators);

/// All formulas in statements.
[[nodiscard]] std::vector<Expr> FormulasOf(Statements& body);

/// Whether `symbol` is assigned as a whole before anything reads it.
[[nodiscard]] bool IsAssignedFirst(const Statements& body, Expr symbol);

}  // namespace orrery::modelica::internal
