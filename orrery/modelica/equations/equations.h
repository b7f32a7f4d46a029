#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/equations/equation_state.h"
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
      : signals_(signals), state_(session, context, is_initial) {}

  EquationLowering(const EquationLowering&) = delete;
  EquationLowering& operator=(const EquationLowering&) = delete;
  ~EquationLowering() = default;

  void Run(const ast::List<ast::Equation>& equations);

  /// The equations of a body, taken out of the model, that hold if `guard`
  /// does.
  std::vector<Equation> LowerBranch(const ast::List<ast::Equation>& body,
                                    Expr guard);

  /// Does `work` on something in the text at `span`. An error in it is
  /// reported, and the state is then as before.
  void Guarded(const ast::Span& span, const std::function<void()>& work);

  [[nodiscard]] LoweringContext& context() noexcept { return state_.lowering; }

  [[nodiscard]] EquationState& state() noexcept { return state_; }

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

  SignalSets& signals_;
  EquationState state_;
  std::vector<Equation> calls_;  ///< Calls for their effects, in open branches.
};

/// An assertion that makes a call where `guard`, which depends on initial(),
/// holds. It is satisfied if the call's `result` is a number.
[[nodiscard]] Assertion MadeAtStart(Session& session,
                                    Expr guard,
                                    Expr result,
                                    const SourceSpan& span);

}  // namespace orrery::modelica::internal
