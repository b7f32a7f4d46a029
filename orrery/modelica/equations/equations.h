#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/equations/signal_sets.h"
#include "orrery/modelica/session/events.h"
#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/session/session.h"
#include "orrery/modelica/session/value.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/values/loop_parts.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/symbolic/graph.h"
#include "orrery/syntax/ast.h"

namespace orrery::modelica::internal {

/// Lowers the equations of one section of one instance.
class EquationLowering {
 public:
  EquationLowering(Session& session,
                   SignalSets& signals,
                   const Context& context,
                   bool is_initial)
      : session_(session),
        signals_(signals),
        lowering_(session, context),
        is_initial_(is_initial) {
    lowering_.is_initial = is_initial;
    lowering_.is_in_equation = true;
    lowering_.divisible = &iterators_;
  }

  EquationLowering(const EquationLowering&) = delete;
  EquationLowering& operator=(const EquationLowering&) = delete;
  ~EquationLowering() = default;

  void Run(const ast::List<ast::Equation>& equations);

  /// The branch of an if-equation that parameters select. Null for another
  /// equation, or if other conditions, such as roots, select it.
  const ast::List<ast::Equation>* TakenBranch(const ast::Equation& equation);

  /// Does `work` on something in the text at `span`. An error in it is
  /// reported, and the state is then as before.
  void Guarded(const ast::Span& span, const std::function<void()>& work);

  [[nodiscard]] LoweringContext& context() noexcept { return lowering_; }

  /// Adds left = right, element by element for records.
  void Equate(const Value& left, const Value& right, const ast::Span& span);

 private:
  void Lower(const ast::Equation& equation);
  void LowerSimple(const ast::SimpleEquation& equation, const ast::Span& span);
  void LowerAsWritten(const ast::SimpleEquation& equation,
                      const ast::Span& span);
  void LowerTuple(const ast::Tuple& targets,
                  const ast::Expression& call,
                  const ast::Span& span);
  void LowerCall(const ast::CallItem& item, const ast::Span& span);
  void LowerUnusedCall(const ast::Call& call, const ast::Span& span);
  void AddCalls();
  void LowerAssert(const ast::Call& call, const ast::Span& span);
  void AddAssertion(const Check& check,
                    const ast::Call& call,
                    const ast::Span& span);
  void LowerTerminate(const ast::Call& call, const ast::Span& span);
  void CheckNoLoop(Expr formula);
  void LowerFor(const ast::For<ast::Equation>& loop,
                std::size_t index,
                const ast::Span& span);

  /// List sizes and state, for GoBack().
  struct Lowered {
    std::size_t equations = 0;
    std::size_t as_written = 0;
    std::size_t assertions = 0;
    std::size_t terminations = 0;
    std::size_t iterators = 0;
    std::size_t clock_uses = 0;
    LoweringMark scope;
    Expr guard;
    bool is_written_out = false;
  };

  Lowered Mark();
  void GoBack(const Lowered& before);
  void LowerPart(const ast::For<ast::Equation>& loop,
                 std::size_t index,
                 const std::optional<Range>& range,
                 const ast::Span& span);
  void LowerParts(const ast::For<ast::Equation>& loop,
                  std::size_t index,
                  std::span<const LoopPart> parts,
                  const ast::Span& span);
  void Unroll(const ast::For<ast::Equation>& loop, std::size_t index);
  void LowerIf(const ast::If<ast::Equation>& choice, const ast::Span& span);
  std::vector<Equation> LowerBranch(const ast::List<ast::Equation>& body,
                                    Expr guard);
  void LowerVaryingIf(std::span<const Expr> conditions,
                      std::span<const ast::Branch<ast::Equation>* const> taken,
                      const ast::Span& span);
  void MatchBranches(std::vector<std::vector<Equation>>& branches,
                     const ast::Span& span);
  void Combine(std::span<const Expr> conditions,
               const std::vector<std::vector<Equation>>& branches,
               const ast::Span& span);

  // When-equations.

  void LowerWhen(const ast::When<ast::Equation>& clause, const ast::Span& span);
  void LowerClocked(const ast::When<ast::Equation>& clause,
                    Expr clock,
                    const ast::Span& span);
  /// Marks a formula in a when-clause: it is computed at events only and causes
  /// none itself (specification, section 8.3.5).
  Expr InWhen(Expr formula);
  void CheckWhen(const ast::Span& span);
  void LowerReinit(const ast::Call& call, const ast::Span& span);

  [[nodiscard]] std::vector<Equation>& out() {
    return keeps_constants_ ? session_.flat.as_written.equations
           : is_initial_    ? session_.flat.initial_equations
                            : session_.flat.equations;
  }

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(lowering_.where.scope, span);
  }

  Session& session_;
  SignalSets& signals_;
  LoweringContext lowering_;
  bool is_initial_;
  bool is_written_out_ = false;  ///< Loops must be unrolled.
  bool is_in_when_ = false;
  bool keeps_constants_ = false;  ///< See FlatModel::AsWritten.
  /// The condition under which the equations being lowered hold; empty if
  /// always.
  Expr guard_;
  Expr initial_guard_;  ///< Guard of a branch active at the start.
  std::vector<Expr> iterators_;
  std::vector<Equation> calls_;  ///< Calls for their effects, in open branches.
};

/// An assertion that makes a call where `guard`, which depends on initial(),
/// holds. It is satisfied if the call's `result` is a number.
[[nodiscard]] Assertion MadeAtStart(Session& session,
                                    Expr guard,
                                    Expr result,
                                    const SourceSpan& span);

}  // namespace orrery::modelica::internal
