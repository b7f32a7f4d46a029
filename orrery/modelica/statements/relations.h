#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// The model's formulas that an algorithm reads, and their symbols in its
/// function.
class LocalReads {
 public:
  explicit LocalReads(ExprGraph& graph) : graph_(graph) {}

  /// The function's symbol for a formula of the model: a variable, der() or
  /// pre() of one, a relation.
  Expr Of(Expr outer);

  /// Makes `local`, a symbol of the function, refer to the model's formula
  /// `outer`.
  void Add(Expr local, Expr outer);

  /// The model's formula that a symbol refers to; empty if there is none.
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

/// Moves relations, and functions with jumps or kinks, out of an algorithm if
/// it does not change their operands. They become arguments, so that the model
/// sees their events. Formulas that could fail without the condition that
/// guards them stay. Removes noEvent().
/// @param changing the model's variables that the algorithm assigns.
/// @param whens the numbers of the if-statements in `body` that were
///     when-statements: their branches are taken at events only.
void LiftRelations(LocalReads& locals,
                   std::span<const Expr> changing,
                   std::span<const std::size_t> whens,
                   Statements& body);

/// Moves conditions of when-statements out of an algorithm that does not change
/// what they read.
/// @param conditions the variables of conditions, which `body` assigns, by id.
/// @param whens as for LiftRelations(); stay the numbers of these statements.
/// @returns the variables, with the model's formulas of their values.
[[nodiscard]] std::vector<std::pair<Expr, Expr>> LiftConditions(
    LocalReads& locals,
    std::span<const Expr> changing,
    const std::unordered_set<std::uint32_t>& conditions,
    std::vector<std::size_t>& whens,
    Statements& body);

/// True if the operation has a value for all operands.
[[nodiscard]] bool IsTotal(Op op);

/// The statement in for-statements with these iterators, the first outermost.
[[nodiscard]] Statement InLoops(Statement statement,
                                std::span<const Expr> iterators);

/// All formulas in statements.
[[nodiscard]] std::vector<Expr> FormulasOf(std::span<Statement> body);

/// The variables that statements assign, some of them several times.
[[nodiscard]] std::vector<Expr> TargetsOf(std::span<const Statement> body);

/// The first uses of variables in statements. Refers to the statements.
class FirstUses {
 public:
  /// `body` stays as it is.
  explicit FirstUses(Statements& body);

  /// True if `symbol` is assigned as a whole before it is read.
  [[nodiscard]] bool IsAssignedFirst(Expr symbol) const;

 private:
  std::span<const Statement> body_;
  /// By symbol: the first statement that mentions it.
  std::unordered_map<std::uint32_t, std::size_t> first_;
};

}  // namespace orrery::modelica::internal
