#include "orrery/modelica/equations/when_equations.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/equations/activations.h"
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

void CheckWhen(EquationState& state, const ast::Span& span) {
  if (state.is_initial) {
    state.lowering.Fail(span,
                        "a when-clause cannot stand among initial equations",
                        "write 'when initial() then' among the equations");
  }
  if (state.is_in_when) {
    state.lowering.Fail(span,
                        "a when-clause cannot stand in another one",
                        "join the conditions with 'and', or use 'elsewhen'");
  }
  if (state.guard) {
    state.lowering.Fail(
        span,
        "a when-clause cannot depend on a condition that changes "
        "during a run",
        "write 'if' inside of the when-clause");
  }
}

// A clocked clause may contain any equations; they belong to the clock's
// partition (specification 3.6, section 16.6).
void LowerClocked(EquationLowering& equations,
                  const ast::When<ast::Equation>& clause,
                  Expr clock,
                  const ast::Span& span) {
  EquationState& state = equations.state();
  if (clause.branches.size() > 1) {
    state.lowering.Fail(clause.branches[1].condition->span,
                        "a when-clause of a clock has no 'elsewhen'",
                        "write a when-clause for each clock");
  }
  state.is_written_out = true;
  ClockUse use{.kind = ClockUse::Kind::kWhen, .argument = clock};
  use.first_equation = state.session.flat.equations.size();
  equations.Run(clause.branches.front().body);
  use.last_equation = state.session.flat.equations.size();
  use.span = state.Where(span);
  state.session.clocks.Add(std::move(use));
}

// Adds the jumps of the elements of a state to these values. At the start, they
// are an initial equation for the state (specification, section 8.6).
void AddReinits(EquationState& state,
                Expr jumping,
                Expr value,
                const ast::Span& span) {
  if (state.initial_guard && state.initial_guard != state.guard) {
    state.lowering.Fail(span,
                        "'reinit' in an if-equation of a when-clause that is "
                        "active at the start is not supported yet");
  }
  ExprGraph& graph = state.session.graph;
  if (state.initial_guard) {
    state.session.flat.initial_equations.push_back(
        {.left = jumping,
         .right = value,
         .span = state.Where(span),
         .path = state.lowering.where.instance->path});
  }
  const Expr condition =
      state.initial_guard
          ? AndThen(state.guard,
                    graph.Unary(Op::kNot, state.session.flat.initial))
          : state.guard;
  orrery::Elements elements(graph);
  const std::vector<Expr> states = elements.All(jumping);
  const std::vector<Expr> values = elements.All(state.InWhen(value));
  for (std::size_t i = 0; i < states.size(); ++i) {
    state.session.flat.reinits.push_back(
        {.condition = condition,
         .state = states[i],
         .value = values[i],
         .span = state.Where(span),
         .path = state.lowering.where.instance->path});
  }
}

}  // namespace

// v = if active_1 then e_1 elseif active_2 then e_2 ... else pre(v)
void LowerWhen(EquationLowering& equations,
               const ast::When<ast::Equation>& clause,
               const ast::Span& span) {
  EquationState& state = equations.state();
  CheckWhen(state, span);
  if (const Expr clock = ClockOf(state.lowering, clause)) {
    LowerClocked(equations, clause, clock, span);
    return;
  }
  const std::size_t errors = state.session.diagnostics.error_count();
  const std::string name =
      state.session.events.NewWhen(*state.lowering.where.instance);
  const std::size_t number = state.session.events.NewClause();
  state.is_written_out = true;
  WhenChoice choice;
  Expr earlier;
  for (std::size_t i = 0; i < clause.branches.size(); ++i) {
    const ast::Branch<ast::Equation>& branch = clause.branches[i];
    const Expr active =
        Activation(state.lowering,
                   *branch.condition,
                   name + ".condition" + (i == 0 ? "" : std::to_string(i + 1)));
    state.is_in_when = true;
    state.lowering.is_in_when = true;
    const Expr guard = AndThen(active, NotBefore(state.session.graph, earlier));
    state.initial_guard =
        HoldsInitially(active, state.session.flat.initial) ? guard : Expr{};
    std::vector<Equation> lowered = equations.LowerBranch(branch.body, guard);
    SplitTargets(state.session.graph, lowered);
    AddTargets(state.session, lowered, {.clause = number, .branch = i});
    state.is_in_when = false;
    state.lowering.is_in_when = false;
    choice.conditions.push_back(active);
    choice.branches.push_back(std::move(lowered));
    earlier =
        earlier ? state.session.graph.Binary(Op::kOr, earlier, active) : active;
  }
  if (state.session.diagnostics.error_count() == errors) {
    std::ranges::move(AssignmentsOf(state.lowering, std::move(choice), span),
                      std::back_inserter(state.out()));
  }
}

void LowerReinit(EquationLowering& equations,
                 const ast::Call& call,
                 const ast::Span& span) {
  EquationState& state = equations.state();
  if (!state.is_in_when) {
    state.lowering.Fail(
        span,
        "'reinit' has a meaning in a when-clause only: a state "
        "jumps at an event",
        "write 'when condition then reinit(x, value); end when'");
  }
  if (call.arguments.size() != 2 || !call.iterators.empty()) {
    state.lowering.Fail(span, "'reinit' takes a state and its new value");
  }
  const ast::Expression& target = *call.arguments[0].value;
  if (!std::holds_alternative<ast::ComponentReference>(target.node)) {
    state.lowering.Fail(target.span,
                        "'reinit' takes a variable first, not a formula");
  }
  const Value jumping = LowerExpression(state.lowering, target);
  if (!jumping.is_number() || jumping.expr.type() != ValueType::kReal) {
    state.lowering.Fail(target.span,
                        "'reinit' takes a Real state, not " + Describe(jumping),
                        jumping.is_number() ? "assign it with '='" : "");
  }
  const std::vector<Expr> symbols = SymbolsOf(jumping.expr);
  for (const Expr symbol : symbols) {
    state.session.events.AddReinit(*state.session.component_of.at(symbol.id()),
                                   state.Where(target.span));
  }
  const Shape shape = jumping.shape();
  const Value value =
      ConvertTo(state.lowering,
                LowerExpression(state.lowering, *call.arguments[1].value),
                state.session.tree.predefined(BuiltIn::kReal),
                &shape,
                call.arguments[1].value->span,
                "the state");
  AddReinits(state, jumping.expr, value.expr, span);
}

}  // namespace orrery::modelica::internal
