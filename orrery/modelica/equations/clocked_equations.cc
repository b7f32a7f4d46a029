#include "orrery/modelica/equations/clocked_equations.h"

#include <array>
#include <utility>
#include <vector>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxEventName = 80;

// Adds the equation of the symbol that stands for a formula.
void AddFormula(FlatModel& flat, const ClockUse& use) {
  const Expr symbol =
      use.kind == ClockUse::Kind::kEvent ? use.condition : use.argument;
  AddMadeUp(flat, symbol, use.span);
  flat.equations.push_back({.left = symbol,
                            .right = use.formula,
                            .span = use.span,
                            .path = use.path});
}

// Substitutes in all that holds in a run.
void ReplaceIn(FlatModel& flat, Substitution& substitution) {
  const auto replace = [&](Expr& formula) {
    if (formula) {
      formula = substitution.Apply(formula);
    }
  };
  const auto replace_message = [&](Message& message) {
    for (Message::Part& part : message.parts) {
      replace(part.value);
    }
  };
  for (std::vector<Equation>* const equations :
       {&flat.equations, &flat.initial_equations}) {
    for (Equation& equation : *equations) {
      replace(equation.left);
      replace(equation.right);
    }
  }
  for (Connection& connection : flat.connections) {
    replace(connection.a.variable);
    replace(connection.b.variable);
  }
  for (Reinit& reinit : flat.reinits) {
    replace(reinit.condition);
    replace(reinit.value);
  }
  for (Assertion& assertion : flat.assertions) {
    replace(assertion.condition);
    replace_message(assertion.message);
  }
  for (Termination& termination : flat.terminations) {
    replace(termination.condition);
    replace_message(termination.message);
  }
}

}  // namespace

void FinishClocks(Session& session) {
  if (session.clocks.size() == 0 || session.diagnostics.error_count() > 0) {
    return;
  }
  const std::vector<const ClockUse*> uses = session.clocks.UsesThatMatter();
  for (const ClockUse* const use : uses) {
    if (use->formula) {
      AddFormula(session.flat, *use);
    }
  }
  try {
    ClockPartitions partitions(session, uses);
    partitions.Find();
    ClockedEquations(session, uses, partitions).Run();
  } catch (const Abandoned&) {
    // Reported.
  }
}

void ClockedEquations::Run() {
  TakeInitialEquations();
  TakeEquations();
  for (const ClockUse* const use : uses_) {
    Add(*use);
  }
  AddClocks();
  MakeDiscrete();
  ShowStartsBeforeTicks();
}

// Operators -----------------------------------------------------------------

void ClockedEquations::Add(const ClockUse& use) {
  ExprGraph& graph = session_.graph;
  const Expr result = use.result;
  switch (use.kind) {
    case Kind::kEvent:
      session_.flat.events.push_back(
          {.name = orrery::ToText(use.formula, kMaxEventName),
           .truth = use.condition});
      return;
    case Kind::kPrevious:
      AddPrevious(result, use.argument, ticks_.Of(result, use.span));
      return;
    case Kind::kHold: {
      const Expr start = variables_.StartOf(use.argument);
      variables_.DeclareLike(use.argument, result, use.span).start = start;
      const Expr ticked = ticks_.Of(use.argument, use.span).ticked;
      variables_.Equate(result,
                        graph.Select(session_.flat.initial,
                                     start,
                                     graph.Select(ticked, use.argument, start)),
                        use.span);
      return;
    }
    case Kind::kInterval:
    case Kind::kFirstTick: {
      variables_.Declare(result, use.span);
      ClockTicks& ticks = ticks_.Of(result, use.span);
      variables_.Equate(result,
                        use.kind == Kind::kInterval ? ticks_.IntervalOf(ticks)
                                                    : ticks_.IsFirst(ticks),
                        use.span);
      return;
    }
    case Kind::kSample:
    case Kind::kNoClock:
    case Kind::kSubSample:
    case Kind::kSuperSample:
    case Kind::kShiftSample:
    case Kind::kBackSample:
      AddTaken(use);
      return;
    default:
      return;
  }
}

// Adds the equation of sample(), noClock() or a conversion; it acts at the
// ticks of the result's clock.
void ClockedEquations::AddTaken(const ClockUse& use) {
  if (session_.clocks.IsClock(use.result)) {
    return;
  }
  ExprGraph& graph = session_.graph;
  const Expr from = use.argument;
  Expr value;
  if (use.kind == Kind::kSample) {
    value = graph.Pre(from);
  } else {
    const Expr start = variables_.StartOf(from);
    const Expr ticked = ticks_.Of(from, use.span).ticked;
    value = graph.Select(ticked, from, start);
  }
  variables_.DeclareLike(from, use.result, use.span);
  variables_.Equate(
      use.result,
      graph.Select(
          session_.flat.initial,
          from,
          ticks_.IfActive(ticks_.Of(use.result, use.span), value, use.result)),
      use.span);
}

void ClockedEquations::AddPrevious(Expr result, Expr of, ClockTicks& ticks) {
  ExprGraph& graph = session_.graph;
  const Expr start = variables_.StartOf(of);
  Variable& variable = variables_.DeclareLike(of, result, ticks.span);
  variable.start = start;
  variable.fixed = true;
  variables_.Equate(
      result,
      ticks_.IfActive(
          ticks,
          graph.Select(graph.Pre(ticks.ticked), graph.Pre(of), start),
          result),
      ticks.span);
}

// Adds the equations of clocks: their values count the ticks.
void ClockedEquations::AddClocks() {
  ExprGraph& graph = session_.graph;
  orrery::Elements elements(graph);
  std::vector<Expr> clocks;
  for (const Variable& variable : session_.flat.variables) {
    if (session_.clocks.IsClock(variable.symbol) &&
        NumElements(variable.symbol.shape()) > 0) {
      clocks.push_back(variable.symbol);
    }
  }
  for (const Expr clock : clocks) {
    const SourceSpan span = variables_.Declared(clock)->notes->span;
    for (const Expr element : elements.All(clock)) {
      const TickTimes* const times = partitions_.ClockOf(element);
      if (times == nullptr) {
        session_.Fail(
            span,
            "nothing says when clock '" + orrery::ToText(element) + "' ticks");
      }
      const Expr before = graph.Pre(element);
      const Expr next = graph.Binary(
          Op::kAdd, before, graph.Constant(1, ValueType::kInteger));
      variables_.Equate(element,
                        ticks_.IfActive(ticks_.Of(*times, span), next, element),
                        span);
    }
  }
}

// Equations -----------------------------------------------------------------

void ClockedEquations::TakeEquations() {
  std::map<const ClockTicks*, Substitution> taken;
  const std::size_t count = session_.flat.equations.size();
  std::vector<std::pair<std::size_t, ClockTicks*>> clocked;
  for (std::size_t i = 0; i < count; ++i) {
    const Equation equation = session_.flat.equations[i];
    if (const TickTimes* const times = partitions_.ClockOf(equation)) {
      ClockTicks& ticks = ticks_.Of(*times, equation.span);
      const auto [found, is_new] = taken.try_emplace(&ticks, session_.graph);
      if (is_new) {
        found->second.Add(session_.flat.time, ticks_.TimeOf(ticks));
      }
      BringToTicks(equation, ticks, found->second);
      clocked.emplace_back(i, &ticks);
    }
  }
  for (const auto& [i, ticks] : clocked) {
    Equation& equation = session_.flat.equations[i];
    Substitution& to = taken.at(ticks);
    equation.left = to.Apply(equation.left);
    equation.right = to.Apply(equation.right);
  }
}

// Rewrites derivatives and pre() in terms of ticks. A derivative becomes the
// derivative variable of a step of the clock's solver; an array with
// differentiated elements becomes a state as a whole. pre() becomes the value
// at the tick before.
void ClockedEquations::BringToTicks(const Equation& equation,
                                    ClockTicks& ticks,
                                    Substitution& to) {
  const std::array sides = {equation.left, equation.right};
  for (const std::uint32_t id : Reachable(sides)) {
    const Expr formula = session_.graph.At(id);
    const bool is_derivative = formula.op() == Op::kDer;
    if (formula.op() == Op::kTransport) {
      session_.Fail(equation.span,
                    "spatialDistribution() cannot stand in equations of a "
                    "clock",
                    "sample what it gives");
    }
    if (formula.op() == Op::kSample || formula.op() == Op::kDelay) {
      session_.Fail(equation.span,
                    "sample(start, interval) and delay() cannot stand in "
                    "equations of a clock",
                    "sample what they give");
    }
    if (!is_derivative && formula.op() != Op::kPre) {
      continue;
    }
    const std::vector<Expr> symbols = SymbolsOf(formula.operand(0));
    if (symbols.empty()) {
      session_.Fail(
          equation.span,
          "der() and pre() of formulas are not supported in equations "
          "of a clock",
          "give the formula a variable of its own");
    }
    Substitution parts(session_.graph);
    for (const Expr symbol : symbols) {
      parts.Add(symbol,
                is_derivative ? DerivativeOf(symbol, equation.span, ticks)
                              : PreviousOf(symbol, ticks));
    }
    to.Add(formula, parts.Apply(formula.operand(0)));
  }
}

Expr ClockedEquations::DerivativeOf(Expr state,
                                    const SourceSpan& span,
                                    ClockTicks& ticks) {
  const auto [known, is_new] = derivatives_.try_emplace(state.id());
  if (!is_new) {
    return known->second;
  }
  const TickTimes& times = *partitions_.ClockOf(state);
  if (times.solver == nullptr) {
    session_.Fail(span,
                  "'" + orrery::ToText(state) +
                      "' is clocked, and its clock has no solver for der()",
                  "as in Clock(c, solverMethod = \"ImplicitEuler\")");
  }
  const Expr derivative =
      session_.graph.Symbol({.name = "der(" + orrery::ToText(state) + ")",
                             .type = ValueType::kReal,
                             .shape = state.shape()});
  known->second = derivative;
  variables_.Declare(derivative, span);
  AddStep(state, derivative, *times.solver, ticks);
  return derivative;
}

// Adds the equation of a solver step from the tick before (specification,
// section 16.8.2).
void ClockedEquations::AddStep(Expr state,
                               Expr derivative,
                               const ClockUse& solver,
                               ClockTicks& ticks) {
  ExprGraph& graph = session_.graph;
  const Expr before = PreviousOf(state, ticks);
  Expr slope = derivative;
  if (solver.method == "ExplicitEuler") {
    slope = PreviousOf(derivative, ticks);
  } else if (solver.method == "ImplicitTrapezoid") {
    const Expr sum =
        graph.Binary(Op::kAdd, PreviousOf(derivative, ticks), derivative);
    slope = graph.Binary(Op::kMultiply, graph.Constant(0.5), sum);
  } else if (solver.method != "ImplicitEuler") {
    session_.Fail(
        solver.span,
        "solver method '" + solver.method + "' of a clock is not supported",
        "known: ExplicitEuler, ImplicitEuler, ImplicitTrapezoid");
  }
  const Expr step = graph.Binary(
      Op::kAdd,
      before,
      graph.Binary(Op::kMultiply, ticks_.IntervalOf(ticks), slope));
  variables_.Equate(
      state, graph.Select(ticks_.IsFirst(ticks), before, step), ticks.span);
}

Expr ClockedEquations::PreviousOf(Expr variable, ClockTicks& ticks) {
  const auto [known, is_new] = previous_.try_emplace(variable.id());
  if (is_new) {
    const Expr result = session_.graph.Symbol(
        {.name = "previous(" + orrery::ToText(variable) + ")",
         .type = variable.type(),
         .shape = variable.shape()});
    known->second = result;
    AddPrevious(result, variable, ticks);
  }
  return known->second;
}

// An initial equation that gives a clocked variable a value sets its start
// value: it holds before the first tick.
void ClockedEquations::TakeInitialEquations() {
  std::erase_if(session_.flat.initial_equations, [&](const Equation& equation) {
    const TickTimes* const times = partitions_.ClockOf(equation);
    if (times == nullptr) {
      return false;
    }
    const bool is_value = variables_.Declared(equation.left) != nullptr &&
                          VaryingIn(session_, equation.right).empty();
    if (is_value && equation.right == variables_.StartOf(equation.left)) {
      return true;
    }
    if (!is_value || equation.left.op() != Op::kSymbol) {
      session_.Fail(equation.span,
                    "an initial equation of a clocked variable gives it a "
                    "value, as x = 1: others are not supported",
                    "give the variable a start value instead");
    }
    variables_.SetStart(equation.left, equation.right);
    return true;
  });
}

void ClockedEquations::MakeDiscrete() {
  for (Variable& variable : session_.flat.variables) {
    if (variable.variability <= Variability::kParameter ||
        session_.clocks.IsClock(variable.symbol) ||
        partitions_.ClockOf(variable.symbol) == nullptr) {
      continue;
    }
    variable.variability = Variability::kDiscrete;
    if (!variable.is_made_up) {
      variable.fixed.reset();
      Component& component = *session_.component_of.at(variable.symbol.id());
      component.variability = Variability::kDiscrete;
      session_.events.TakeClocked(component);
    }
  }
}

// The equations of a clock hold from the start on, but no tick has computed
// anything before the first one (specification 3.6, section 16.5.2). Variables
// of shifted clocks show their start values until then; others stand for them
// in the equations.
void ClockedEquations::ShowStartsBeforeTicks() {
  struct Shown {
    Expr variable;
    Expr at_ticks;
    ClockTicks* ticks = nullptr;
  };

  ExprGraph& graph = session_.graph;
  std::vector<Variable>& variables = session_.flat.variables;
  Substitution at_ticks(graph);
  std::vector<Shown> shown;
  const std::size_t count = variables.size();
  for (std::size_t i = 0; i < count; ++i) {
    Variable variable = variables[i];
    const Expr symbol = variable.symbol;
    const TickTimes* const times =
        variable.is_made_up ||
                variable.variability <= Variability::kParameter ||
                session_.clocks.IsClock(symbol)
            ? nullptr
            : partitions_.ClockOf(symbol);
    if (times == nullptr || times->rate.shift <= 0) {
      continue;
    }
    variable.symbol = graph.Symbol({.name = graph.NameOf(symbol) + " at ticks",
                                    .type = symbol.type(),
                                    .shape = symbol.shape()});
    variable.causality = Causality::kLocal;
    variable.is_protected = true;
    variable.is_made_up = true;
    at_ticks.Add(symbol, variable.symbol);
    shown.push_back({.variable = symbol,
                     .at_ticks = variable.symbol,
                     .ticks = &ticks_.Of(*times, variable.notes->span)});
    variables.push_back(std::move(variable));
  }
  if (shown.empty()) {
    return;
  }
  ReplaceIn(session_.flat, at_ticks);
  for (const Shown& it : shown) {
    const Expr start = variables_.StartOf(it.variable);
    variables_.Equate(
        it.variable,
        graph.Select(session_.flat.initial,
                     start,
                     graph.Select(it.ticks->ticked, it.at_ticks, start)),
        it.ticks->span);
  }
}

}  // namespace orrery::modelica::internal
