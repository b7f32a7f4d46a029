#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "orrery/modelica/equations/activations.h"
#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/equations/when_targets.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

Expr NotBefore(ExprGraph& graph, Expr earlier) {
  return earlier ? graph.Unary(Op::kNot, earlier) : Expr{};
}

// True if an activation includes initial().
bool HoldsInitially(Expr active, Expr initial) {
  return active == initial || (active.op() == Op::kOr &&
                               (HoldsInitially(active.operand(0), initial) ||
                                HoldsInitially(active.operand(1), initial)));
}

}  // namespace

// Clauses -------------------------------------------------------------------

void EquationLowering::CheckWhen(const ast::Span& span) {
  if (is_initial_) {
    lowering_.Fail(span,
                   "a when-clause cannot stand among initial equations",
                   "write 'when initial() then' among the equations");
  }
  if (is_in_when_) {
    lowering_.Fail(span,
                   "a when-clause cannot stand in another one",
                   "join the conditions with 'and', or use 'elsewhen'");
  }
  if (guard_) {
    lowering_.Fail(span,
                   "a when-clause cannot depend on a condition that changes "
                   "during a run",
                   "write 'if' inside of the when-clause");
  }
}

// v = if active_1 then e_1 elseif active_2 then e_2 ... else pre(v)
void EquationLowering::LowerWhen(const ast::When<ast::Equation>& clause,
                                 const ast::Span& span) {
  CheckWhen(span);
  if (const Expr clock = ClockOf(lowering_, clause)) {
    LowerClocked(clause, clock, span);
    return;
  }
  const std::size_t errors = session_.diagnostics.error_count();
  const std::string name = session_.events.NewWhen(*lowering_.where.instance);
  const std::size_t number = session_.events.NewClause();
  is_written_out_ = true;
  WhenChoice choice;
  Expr earlier;
  for (std::size_t i = 0; i < clause.branches.size(); ++i) {
    const ast::Branch<ast::Equation>& branch = clause.branches[i];
    const Expr active =
        Activation(lowering_,
                   *branch.condition,
                   name + ".condition" + (i == 0 ? "" : std::to_string(i + 1)));
    is_in_when_ = true;
    lowering_.is_in_when = true;
    const Expr guard = AndThen(active, NotBefore(session_.graph, earlier));
    initial_guard_ =
        HoldsInitially(active, session_.flat.initial) ? guard : Expr{};
    std::vector<Equation> equations = LowerBranch(branch.body, guard);
    SplitTargets(session_.graph, equations);
    AddTargets(session_, equations, {.clause = number, .branch = i});
    is_in_when_ = false;
    lowering_.is_in_when = false;
    choice.conditions.push_back(active);
    choice.branches.push_back(std::move(equations));
    earlier =
        earlier ? session_.graph.Binary(Op::kOr, earlier, active) : active;
  }
  if (session_.diagnostics.error_count() == errors) {
    std::ranges::move(AssignmentsOf(lowering_, std::move(choice), span),
                      std::back_inserter(out()));
  }
}

// A clocked clause may contain any equations; they belong to the clock's
// partition (specification 3.6, section 16.6).
void EquationLowering::LowerClocked(const ast::When<ast::Equation>& clause,
                                    Expr clock,
                                    const ast::Span& span) {
  if (clause.branches.size() > 1) {
    lowering_.Fail(clause.branches[1].condition->span,
                   "a when-clause of a clock has no 'elsewhen'",
                   "write a when-clause for each clock");
  }
  is_written_out_ = true;
  ClockUse use{.kind = ClockUse::Kind::kWhen, .argument = clock};
  use.first_equation = session_.flat.equations.size();
  Run(clause.branches.front().body);
  use.last_equation = session_.flat.equations.size();
  use.span = Where(span);
  session_.clocks.Add(std::move(use));
}

Expr EquationLowering::InWhen(Expr formula) {
  return is_in_when_ && formula.Contains(Trait::kBreak)
             ? session_.graph.NoEvent(formula)
             : formula;
}

// States --------------------------------------------------------------------

void EquationLowering::LowerReinit(const ast::Call& call,
                                   const ast::Span& span) {
  if (!is_in_when_) {
    lowering_.Fail(span,
                   "'reinit' has a meaning in a when-clause only: a state "
                   "jumps at an event",
                   "write 'when condition then reinit(x, value); end when'");
  }
  if (call.arguments.size() != 2 || !call.iterators.empty()) {
    lowering_.Fail(span, "'reinit' takes a state and its new value");
  }
  const ast::Expression& target = *call.arguments[0].value;
  if (!std::holds_alternative<ast::ComponentReference>(target.node)) {
    lowering_.Fail(target.span,
                   "'reinit' takes a variable first, not a formula");
  }
  const Value state = LowerExpression(lowering_, target);
  if (!state.is_number() || state.expr.type() != ValueType::kReal) {
    lowering_.Fail(target.span,
                   "'reinit' takes a Real state, not " + Describe(state),
                   state.is_number() ? "assign it with '='" : "");
  }
  const std::vector<Expr> symbols = SymbolsOf(state.expr);
  for (const Expr symbol : symbols) {
    session_.events.AddReinit(*session_.component_of.at(symbol.id()),
                              Where(target.span));
  }
  const Shape shape = state.shape();
  Value value = ConvertTo(lowering_,
                          LowerExpression(lowering_, *call.arguments[1].value),
                          session_.tree.predefined(BuiltIn::kReal),
                          &shape,
                          call.arguments[1].value->span,
                          "the state");
  // At the start, it is an initial equation for the state (specification, 8.6).
  if (initial_guard_ && initial_guard_ != guard_) {
    lowering_.Fail(span,
                   "'reinit' in an if-equation of a when-clause that is "
                   "active at the start is not supported yet");
  }
  ExprGraph& graph = session_.graph;
  if (initial_guard_) {
    session_.flat.initial_equations.push_back(
        {.left = state.expr,
         .right = value.expr,
         .span = Where(span),
         .path = lowering_.where.instance->path});
  }
  const Expr condition =
      initial_guard_
          ? AndThen(guard_, graph.Unary(Op::kNot, session_.flat.initial))
          : guard_;
  orrery::Elements elements(graph);
  const std::vector<Expr> states = elements.All(state.expr);
  const std::vector<Expr> values = elements.All(InWhen(value.expr));
  for (std::size_t i = 0; i < states.size(); ++i) {
    session_.flat.reinits.push_back({.condition = condition,
                                     .state = states[i],
                                     .value = values[i],
                                     .span = Where(span),
                                     .path = lowering_.where.instance->path});
  }
}

}  // namespace orrery::modelica::internal
