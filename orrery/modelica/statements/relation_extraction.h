#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/modelica/statements/relations.h"

namespace orrery::modelica::internal {

/// Extracts relations, and other functions with jumps or kinks, from an
/// algorithm that computes their operands itself, so that LiftRelations()
/// cannot. A second function repeats the statements up to there and gives the
/// operands, and the model compares them,
///     v := f(x); y := if v > 3 then 1 else 0;
///     ->  y = algorithm(x, probe(x) > 3)
/// so that it sees events. In a loop with a small known number of passes each
/// pass has a relation of its own. Relations in while-loops and when-statements
/// stay in place.
class RelationExtraction {
 public:
  /// @param changing the model's variables that the algorithm assigns.
  RelationExtraction(LocalReads& locals, std::span<const Expr> changing)
      : locals_(locals), graph_(locals.graph()), changing_(changing) {}

  /// Replaces the relations in `body` by symbols that Bind() defines.
  /// @param whens as for LiftRelations().
  void Take(Statements& body, std::span<const std::size_t> whens);

  /// The second function: its outputs (empty if there is nothing to extract),
  /// its statements, and the numbers of former when-statements.
  [[nodiscard]] const std::vector<Function::Variable>& outputs() const {
    return outputs_;
  }

  [[nodiscard]] Statements& body() noexcept { return body_; }

  [[nodiscard]] std::span<const std::size_t> whens() const { return whens_; }

  /// @param call of the second function; its first outputs are outputs().
  void Bind(Expr call);

 private:
  struct Site {
    Expr node;
    std::vector<Expr> bound;  // The iterators of loops within the formula.
    bool is_guarded = false;
  };

  // An extracted relation: `symbol`, with an element for each pass, replaces
  // `node`.
  struct Taken {
    Expr symbol;
    Expr node;
    Shape passes;
    std::vector<std::pair<Expr, std::size_t>> operands;  // And their outputs.
  };

  void Walk(Statements& body, Statements& out);
  void WalkStatement(Statement& statement, Statements& out);
  Expr Probe(Expr formula, bool is_guarded, Statements& out);
  void AddOperands(const Site& site, std::vector<Site>& stack) const;
  [[nodiscard]] bool IsToTake(const Site& site) const;
  Expr TakeOut(const Site& site, Statements& out);
  std::size_t AddOutput(Expr operand,
                        std::span<const Expr> bound,
                        Statements& out);

  LocalReads& locals_;
  ExprGraph& graph_;
  std::span<const Expr> changing_;
  std::size_t depth_ = 0;    // Enclosing conditions and loops.
  std::vector<Expr> loops_;  // Iterators of for-statements, outermost first.
  SourceSpan span_;
  std::vector<Taken> taken_;
  std::vector<Function::Variable> outputs_;
  Statements body_;
  std::vector<std::size_t> whens_;
};

}  // namespace orrery::modelica::internal
