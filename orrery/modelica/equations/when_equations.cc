#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/symbolic/node_index.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxEventName = 80;

Expr NotBefore(ExprGraph& graph, Expr earlier) {
  return earlier ? graph.Unary(Op::kNot, earlier) : Expr{};
}

// The elements that `target`, a symbol or an element or subarray of one,
// covers: [first, first + count).
struct Stretch {
  Expr symbol;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

Stretch StretchOf(Expr target) {
  if (target.op() == Op::kSymbol) {
    return {.symbol = target, .count = NumElements(target.shape())};
  }
  const Expr symbol = target.operand(0);
  std::int64_t first = 0;
  for (std::size_t i = 1; i < target.num_operands(); ++i) {
    first = first * symbol.shape()[i - 1] +
            static_cast<std::int64_t>(target.operand(i).value()) - 1;
  }
  const std::int64_t count = NumElements(target.shape());
  return {.symbol = symbol, .first = first * count, .count = count};
}

// True for a variable, or an element of one with known subscripts.
bool IsPlain(Expr target) {
  if (target.op() != Op::kIndex) {
    return target.op() == Op::kSymbol;
  }
  for (std::size_t i = 1; i < target.num_operands(); ++i) {
    if (!target.operand(i).is_constant()) {
      return false;
    }
  }
  return target.operand(0).op() == Op::kSymbol;
}

// True if an activation includes initial().
bool HoldsInitially(Expr active, Expr initial) {
  return active == initial || (active.op() == Op::kOr &&
                               (HoldsInitially(active.operand(0), initial) ||
                                HoldsInitially(active.operand(1), initial)));
}

// Finds the assignments of a branch by target.
class BranchTargets {
 public:
  explicit BranchTargets(const std::vector<Equation>& equations)
      : equations_(equations) {
    for (std::uint32_t i = 0; i < equations.size(); ++i) {
      places_.Insert(equations[i].left.id(), i);
    }
  }

  // Null if there is no such assignment.
  [[nodiscard]] const Equation* Find(Expr left) const {
    const std::uint32_t place = places_.Find(left.id());
    return place == NodeIndex::kNone ? nullptr : &equations_[place];
  }

 private:
  std::span<const Equation> equations_;
  NodeIndex places_;  // By the target's id.
};

std::vector<BranchTargets> TargetsOf(
    const std::vector<std::vector<Equation>>& branches) {
  return {branches.begin(), branches.end()};
}

bool AssignSame(const std::vector<std::vector<Equation>>& branches) {
  const std::vector<Equation>& first = branches.front();
  const auto targets = TargetsOf(branches);
  return std::ranges::all_of(branches,
                             [&](const auto& branch) {
                               return branch.size() == first.size();
                             }) &&
         std::ranges::all_of(first, [&](const Equation& equation) {
           return std::ranges::all_of(
               targets, [&](const BranchTargets& branch) {
                 return branch.Find(equation.left) != nullptr;
               });
         });
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
  if (const Expr clock = ClockOf(clause)) {
    LowerClocked(clause, clock, span);
    return;
  }
  const std::size_t errors = session_.diagnostics.error_count();
  const std::string name = session_.events.NewWhen(*lowering_.where.instance);
  const std::size_t number = session_.events.NewClause();
  is_written_out_ = true;
  Choice choice;
  Expr earlier;
  for (std::size_t i = 0; i < clause.branches.size(); ++i) {
    const ast::Branch<ast::Equation>& branch = clause.branches[i];
    const Expr active =
        Activation(*branch.condition,
                   name + ".condition" + (i == 0 ? "" : std::to_string(i + 1)));
    is_in_when_ = true;
    lowering_.is_in_when = true;
    const Expr guard = AndThen(active, NotBefore(session_.graph, earlier));
    initial_guard_ =
        HoldsInitially(active, session_.flat.initial) ? guard : Expr{};
    std::vector<Equation> equations = LowerBranch(branch.body, guard);
    SplitTargets(equations, false);
    AddTargets(equations, {.clause = number, .branch = i});
    is_in_when_ = false;
    lowering_.is_in_when = false;
    choice.conditions.push_back(active);
    choice.branches.push_back(std::move(equations));
    earlier =
        earlier ? session_.graph.Binary(Op::kOr, earlier, active) : active;
  }
  if (session_.diagnostics.error_count() == errors) {
    Assign(std::move(choice), span);
  }
}

// The clock of a when-clause; empty if it is not a clocked clause.
Expr EquationLowering::ClockOf(const ast::When<ast::Equation>& clause) {
  const ast::Expression& condition = *clause.branches.front().condition;
  const auto* const call = std::get_if<ast::Call>(&condition.node);
  const bool may_be_clock =
      call == nullptr
          ? std::holds_alternative<ast::ComponentReference>(condition.node)
          : ast::ToString(call->function) == "Clock";
  if (!may_be_clock) {
    return {};
  }
  const Value value = LowerExpression(lowering_, condition);
  return session_.tree.IsClock(value.enumeration) ? value.expr : Expr{};
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

// The activation of a branch with this condition; each of several conditions
// activates it.
Expr EquationLowering::Activation(const ast::Expression& condition,
                                  const std::string& name) {
  const auto conditions = LowerConditions(lowering_, condition);
  Expr active = session_.graph.Boolean(false);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const auto& [own, span] = conditions[i];
    const std::string numbered =
        conditions.size() == 1 ? name : name + "_" + std::to_string(i + 1);
    active = session_.graph.Binary(
        Op::kOr, active, ActivationOf(own, span, numbered));
  }
  return active;
}

// A condition is active in the event in which it becomes true, but not at the
// start.
Expr EquationLowering::ActivationOf(Expr condition,
                                    const ast::Span& span,
                                    const std::string& name) {
  ExprGraph& graph = session_.graph;
  if (condition.is_constant()) {
    return graph.Boolean(false);
  }
  if (condition == session_.flat.initial || condition.op() == Op::kSample) {
    return condition;
  }
  const Expr own = session_.events.AddHidden(name, Where(span));
  session_.flat.equations.push_back({.left = own,
                                     .right = condition,
                                     .span = Where(span),
                                     .path = lowering_.where.instance->path});
  session_.flat.events.push_back(
      {.name = ToText(condition, kMaxEventName), .truth = own});
  const Expr rises =
      graph.Binary(Op::kAnd, own, graph.Unary(Op::kNot, graph.Pre(own)));
  return graph.Binary(
      Op::kAnd, rises, graph.Unary(Op::kNot, session_.flat.initial));
}

// Assignments ---------------------------------------------------------------

void EquationLowering::CheckTarget(const ast::Expression& target) {
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&target.node);
  if (reference == nullptr) {
    lowering_.Fail(target.span,
                   "the left side of an equation in a when-clause is the "
                   "variable that it assigns, not a formula");
  }
  const NamedPlace place = FindPlace(lowering_, *reference);
  const Variability variability = place.component->variability;
  if (variability <= Variability::kParameter) {
    lowering_.Fail(
        target.span,
        (variability == Variability::kConstant ? "constant '" : "parameter '") +
            place.component->path() + "' cannot be assigned in a when-clause");
  }
}

// Splits arrays into elements if the target is not a variable or an element of
// one, or always with `into_elements`.
void EquationLowering::SplitTargets(std::vector<Equation>& equations,
                                    bool into_elements) {
  std::vector<Equation> split;
  for (Equation& equation : equations) {
    const bool is_kept =
        IsPlain(equation.left) && (equation.left.is_scalar() || !into_elements);
    std::vector<Equation> parts = {std::move(equation)};
    if (!is_kept) {
      SplitIntoScalars(parts);
    }
    std::ranges::move(parts, std::back_inserter(split));
  }
  equations = std::move(split);
}

void EquationLowering::AddTargets(const std::vector<Equation>& equations,
                                  EventTable::Target target) {
  for (const Equation& equation : equations) {
    const auto fail = [&] {
      session_.diagnostics.Error(
          equation.span,
          "the subscripts of what a when-clause assigns must be known when "
          "the model is translated");
      throw Abandoned{};
    };
    if (!IsPlain(equation.left)) {
      fail();
    }
    const Stretch stretch = StretchOf(equation.left);
    const auto found = session_.component_of.find(stretch.symbol.id());
    if (found == session_.component_of.end()) {
      fail();
    }
    std::vector<std::int64_t> elements;
    for (std::int64_t i = 0; i < stretch.count; ++i) {
      elements.push_back(stretch.first + i);
    }
    target.component = found->second;
    target.elements = elements;
    target.span = equation.span;
    session_.events.AddTarget(target);
  }
}

void EquationLowering::CheckSameTargets(Choice& choice, const ast::Span& span) {
  if (AssignSame(choice.branches)) {
    return;
  }
  for (std::vector<Equation>& branch : choice.branches) {
    SplitTargets(branch, true);
  }
  const auto targets = TargetsOf(choice.branches);
  for (std::size_t i = 0; i < choice.branches.size(); ++i) {
    for (const Equation& equation : choice.branches[i]) {
      const auto lacks =
          std::ranges::find_if(targets, [&](const BranchTargets& branch) {
            return branch.Find(equation.left) == nullptr;
          });
      if (lacks == targets.end()) {
        continue;
      }
      const auto other = static_cast<std::size_t>(lacks - targets.begin());
      const std::string name = "'" + ToText(equation.left) + "'";
      lowering_.Fail(
          span,
          "all branches in a when-clause assign the same variables: " + name +
              " is assigned in branch " + std::to_string(i + 1) + ", but not " +
              (other + 1 == choice.branches.size() &&
                       choice.conditions.size() < choice.branches.size()
                   ? "where no condition holds"
                   : "in branch " + std::to_string(other + 1)),
          "where it keeps its value, write '" + ToText(equation.left) +
              " = pre(" + ToText(equation.left) + ")'");
    }
  }
}

// Adds the branches' assignments as equations. Without an else-branch,
// variables keep their values.
void EquationLowering::Assign(Choice choice, const ast::Span& span) {
  CheckSameTargets(choice, span);
  ExprGraph& graph = session_.graph;
  const bool has_else = choice.branches.size() > choice.conditions.size();
  const auto targets = TargetsOf(choice.branches);
  for (const Equation& equation : choice.branches.front()) {
    Expr value = has_else ? targets.back().Find(equation.left)->right
                          : graph.Pre(equation.left);
    for (std::size_t i = choice.conditions.size(); i-- > 0;) {
      const Equation* const own = targets[i].Find(equation.left);
      value = graph.Select(choice.conditions[i], own->right, value);
    }
    Equation assigned = equation;
    assigned.right = value;
    out().push_back(std::move(assigned));
  }
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
