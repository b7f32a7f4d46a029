#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orrery/modelica/statements/relations.h"

namespace orrery::modelica::internal {

/// Takes relations out of an algorithm, and other functions with jumps or
/// kinks, whose operands it finds itself, where LiftRelations() cannot: a
/// second function, that does the same up to there, gives the operands, and
/// the model compares them,
///     v := f(x); y := if v > 3 then 1 else 0;
///     ->  y = algorithm(x, probe(x) > 3)
/// so that it sees events. In a loop of a known, not great number of passes
/// each pass has its own. Those in while-loops and when-statements stay as they
/// are.
class Probes {
 public:
  /// @param changing the model's variables that the algorithm assigns.
  Probes(LocalReads& locals, std::span<const Expr> changing)
      : locals_(locals), graph_(locals.graph()), changing_(changing) {}

  /// Replaces them in `body` by symbols that Bind() gives a meaning.
  /// @param whens as for LiftRelations().
  void Take(Statements& body, std::span<const std::size_t> whens);

  /// The second function's outputs, empty if there is nothing to find, its
  /// statements and which of them were when-statements.
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

  // What stands for `node` in the algorithm: an element for each pass.
  struct Taken {
    Expr symbol;
    Expr node;
    Shape passes;
    std::vector<std::pair<Expr, std::size_t>> operands;  // And outputs.
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
  std::size_t depth_ = 0;    // Of conditions and loops.
  std::vector<Expr> loops_;  // The iterators of for-statements, outer first.
  SourceSpan span_;
  std::vector<Taken> taken_;
  std::vector<Function::Variable> outputs_;
  Statements body_;
  std::vector<std::size_t> whens_;
};

}  // namespace orrery::modelica::internal
