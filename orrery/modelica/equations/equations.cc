#include "orrery/modelica/equations/equations.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/equations/connection_counts.h"
#include "orrery/modelica/equations/connections.h"
#include "orrery/modelica/equations/if_equations.h"
#include "orrery/modelica/equations/overdetermined.h"
#include "orrery/modelica/equations/when_equations.h"
#include "orrery/modelica/equations/when_targets.h"
#include "orrery/modelica/expressions/as_written.h"
#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/ranges.h"
#include "orrery/modelica/expressions/texts.h"
#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/values/loop_parts.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/symbolic/transform.h"
#include "orrery/syntax/overload.h"

namespace orrery::modelica::internal {
namespace {

// True if an equation must be lowered for each pass of a loop by itself.
bool NeedsPasses(const ast::List<ast::Equation>& equations) {
  return std::ranges::any_of(equations, [](const ast::Equation& equation) {
    return AnyWithin(equation, [](const ast::Equation& inner) {
      return std::holds_alternative<ast::Connect>(inner.node) ||
             std::holds_alternative<ast::When<ast::Equation>>(inner.node);
    });
  });
}

}  // namespace

Assertion MadeAtStart(Session& session,
                      Expr guard,
                      Expr result,
                      const SourceSpan& span) {
  ExprGraph& graph = session.graph;
  const Expr least = graph.Constant(std::numeric_limits<double>::lowest());
  const Expr is_number =
      graph.NoEvent(graph.Binary(Op::kLessEqual, least, result));
  return {.condition = graph.Select(guard, is_number, graph.Boolean(true)),
          .message = {.parts = {{.text = "what this call gives is no number"}}},
          .span = span};
}

void EquationLowering::Guarded(const ast::Span& span,
                               const std::function<void()>& work) {
  const LoweringMark mark = state_.lowering.Save();
  const bool was_written_out = state_.is_written_out;
  const bool was_in_when = state_.is_in_when;
  const Expr guard = state_.guard;
  const std::size_t iterators = state_.iterators.size();
  try {
    work();
  } catch (const Abandoned&) {
    // Reported; the next equation may have errors of its own.
  } catch (const Error& error) {
    state_.session.diagnostics.Error(state_.Where(span), error.what());
  }
  state_.lowering.Restore(mark);
  state_.is_written_out = was_written_out;
  state_.is_in_when = was_in_when;
  state_.lowering.is_in_when = state_.is_in_when;
  state_.guard = guard;
  state_.iterators.resize(iterators);
}

void EquationLowering::Run(const ast::List<ast::Equation>& equations) {
  for (const ast::Equation& equation : equations) {
    Guarded(equation.span, [&] { Lower(equation); });
  }
}

std::vector<Equation> EquationLowering::LowerBranch(
    const ast::List<ast::Equation>& body, Expr guard) {
  const Expr around = std::exchange(state_.guard, AndThen(state_.guard, guard));
  const std::size_t first = state_.out().size();
  Run(body);
  state_.guard = around;
  const auto begin = state_.out().begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<Equation> equations(begin, state_.out().end());
  state_.out().erase(begin, state_.out().end());
  AddCalls();
  return equations;
}

void EquationLowering::Lower(const ast::Equation& equation) {
  const ast::Span& span = equation.span;
  std::visit(
      Overload{
          [&](const ast::SimpleEquation& simple) { LowerSimple(simple, span); },
          [&](const ast::CallItem& call) { LowerCall(call, span); },
          [&](const ast::If<ast::Equation>& choice) {
            LowerIf(*this, choice, span);
          },
          [&](const ast::For<ast::Equation>& loop) { LowerFor(loop, 0, span); },
          [&](const ast::When<ast::Equation>& clause) {
            LowerWhen(*this, clause, span);
          },
          [&](const ast::Connect& connect) {
            if (state_.is_in_when) {
              state_.lowering.Fail(span,
                                   "'connect' cannot stand in a when-clause");
            }
            if (state_.is_initial) {
              state_.lowering.Fail(
                  span, "'connect' cannot stand in an initial equation");
            }
            ConnectionLowering(state_.lowering, signals_)
                .Connect(connect, span);
          },
      },
      equation.node);
}

// Simple equations ----------------------------------------------------------

void EquationLowering::LowerSimple(const ast::SimpleEquation& equation,
                                   const ast::Span& span) {
  if (const auto* tuple = std::get_if<ast::Tuple>(&equation.left->node)) {
    LowerTuple(*tuple, *equation.right, span);
    return;
  }
  if (state_.is_in_when) {
    CheckTarget(state_.lowering, *equation.left);
  }
  const std::size_t lost = state_.session.num_units_lost;
  const Value left = LowerExpression(state_.lowering, *equation.left);
  const Value right = LowerExpression(state_.lowering, *equation.right);
  Equate(left, right, span);
  if (state_.session.num_units_lost > lost && MayLowerAgain(*equation.left) &&
      MayLowerAgain(*equation.right)) {
    LowerAsWritten(equation, span);
  }
}

void EquationLowering::LowerAsWritten(const ast::SimpleEquation& equation,
                                      const ast::Span& span) {
  const Switched keeps(state_.keeps_constants, true);
  const Value left = LowerExpressionAsWritten(state_.lowering, *equation.left);
  Equate(
      left, LowerExpressionAsWritten(state_.lowering, *equation.right), span);
}

void EquationLowering::LowerTuple(const ast::Tuple& targets,
                                  const ast::Expression& call,
                                  const ast::Span& span) {
  const std::vector<Value> values = CallAll(state_.lowering, call);
  if (targets.elements.size() > values.size()) {
    state_.lowering.Fail(span,
                         "the function has " + std::to_string(values.size()) +
                             " outputs, fewer than the " +
                             std::to_string(targets.elements.size()) +
                             " on the left side");
  }
  for (std::size_t i = 0; i < targets.elements.size(); ++i) {
    if (targets.elements[i] != nullptr) {
      if (state_.is_in_when) {
        CheckTarget(state_.lowering, *targets.elements[i]);
      }
      Equate(LowerExpression(state_.lowering, *targets.elements[i]),
             values[i],
             span);
    }
  }
}

void EquationLowering::Equate(const Value& left,
                              const Value& right,
                              const ast::Span& span) {
  if (left.record != nullptr && right.record != nullptr &&
      !(left.record->elements.empty() && right.record->elements.empty())) {
    if (left.shape() != right.shape()) {
      state_.lowering.Fail(span,
                           "the sides have different sizes: " + Describe(left) +
                               " and " + Describe(right));
    }
    const std::vector<Value> others = ElementsOf(state_.lowering, right);
    const std::vector<Value> elements = ElementsOf(state_.lowering, left);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Equate(elements[i], others[i], span);
    }
    return;
  }
  if (left.record != nullptr && right.record != nullptr) {
    for (const auto& [name, field] : left.record->fields) {
      const Value* const other = right.record->Find(name);
      if (other == nullptr) {
        state_.lowering.Fail(span,
                             "the sides are different records: " +
                                 Describe(left) + " and " + Describe(right));
      }
      Equate(field, *other, span);
    }
    return;
  }
  if ((left.is_empty_array || right.is_empty_array) &&
      CountElements(left.shape(), kMaxArraySize) == 0 &&
      CountElements(right.shape(), kMaxArraySize) == 0) {
    return;
  }
  const bool are_numbers = left.is_number() && right.is_number();
  if (!are_numbers || !AreOneEnumeration(left.enumeration, right.enumeration) ||
      (left.expr.type() == ValueType::kBoolean) !=
          (right.expr.type() == ValueType::kBoolean)) {
    state_.lowering.Fail(span,
                         "the sides have different types: " + Describe(left) +
                             " and " + Describe(right));
  }
  if (left.shape() != right.shape()) {
    state_.lowering.Fail(span,
                         "the sides have different sizes: " + Describe(left) +
                             " and " + Describe(right));
  }
  if (left.expr.op() == Op::kSymbol &&
      left.expr.type() == ValueType::kInteger &&
      right.expr.type() == ValueType::kReal) {
    state_.lowering.Fail(span,
                         "the sides have different types: " + Describe(left) +
                             " and " + Describe(right),
                         "write 'integer' to round a Real down");
  }
  if (NumElements(left.shape()) == 0) {
    return;
  }
  state_.out().push_back({.left = left.expr,
                          .right = state_.InWhen(right.expr),
                          .iterators = state_.iterators,
                          .span = state_.Where(span),
                          .path = state_.lowering.where.instance->path});
}

void EquationLowering::LowerCall(const ast::CallItem& item,
                                 const ast::Span& span) {
  const auto& call = std::get<ast::Call>(item.call->node);
  const std::string name = ast::ToString(call.function);
  if (name == "assert") {
    LowerAssert(call, span);
    return;
  }
  if (name == "terminate") {
    LowerTerminate(call, span);
    return;
  }
  if (name == "reinit") {
    LowerReinit(*this, call, span);
    return;
  }
  if (name == "transition" || name == "initialState") {
    if (state_.is_in_when || state_.is_initial || state_.guard) {
      state_.lowering.Fail(span,
                           "'" + name +
                               "' stands among equations that always hold "
                               "(specification 3.6, section 17.1)");
    }
    static_cast<void>(RunBuiltIn(state_.lowering, name, call, span));
    return;
  }
  if (name.starts_with("Connections.")) {
    LowerConnectionsOperator(state_.lowering, name, call, span);
    return;
  }
  LowerUnusedCall(call, span);
}

// Equates an unused variable with the result, so that the call is made wherever
// equations hold, under the conditions around it. Calls in initial equations
// are made at the start (specification 3.6, sections 8.3.9 and 8.6).
void EquationLowering::LowerUnusedCall(const ast::Call& call,
                                       const ast::Span& span) {
  const Expr result = state_.InWhen(CallForEffect(state_.lowering, call, span));
  CheckNoLoop(result);
  const Expr guard = AndThen(
      state_.is_initial ? state_.session.flat.initial : Expr{}, state_.guard);
  ExprGraph& graph = state_.session.graph;
  if (guard && std::ranges::binary_search(Reachable({&guard, 1}),
                                          state_.session.flat.initial.id())) {
    state_.session.flat.assertions.push_back(
        MadeAtStart(state_.session, guard, result, state_.Where(span)));
    state_.session.flat.assertions.back().path =
        state_.lowering.where.instance->path;
    return;
  }
  calls_.push_back(
      {.left = state_.session.events.AddUnused(
           "result of " + ast::ToString(call.function), state_.Where(span)),
       .right =
           guard ? graph.Select(guard, result, graph.Constant(0, result.type()))
                 : result,
       .span = state_.Where(span),
       .path = state_.lowering.where.instance->path});
  AddCalls();
}

// Calls stay out of branches, whose equations must match those of other
// branches.
void EquationLowering::AddCalls() {
  if (state_.guard) {
    return;  // A branch is open.
  }
  state_.session.flat.equations.insert(
      state_.session.flat.equations.end(), calls_.begin(), calls_.end());
  calls_.clear();
}

void EquationLowering::LowerAssert(const ast::Call& call,
                                   const ast::Span& span) {
  for (const Check& check : LowerAssertion(state_.lowering, call, span)) {
    AddAssertion(check, call, span);
  }
}

void EquationLowering::AddAssertion(const Check& check,
                                    const ast::Call& call,
                                    const ast::Span& span) {
  // An assertion that holds for the model's own parameter values may fail for
  // others.
  const bool holds_always =
      check.condition.is_constant() && check.holds.value_or(false);
  if (!holds_always && (state_.guard || check.holds.value_or(true))) {
    CheckNoLoop(check.condition);
    for (const Message::Part& part : check.message.parts) {
      CheckNoLoop(part.value);
    }
    ExprGraph& graph = state_.session.graph;
    const Expr condition = state_.InWhen(check.condition);
    const Expr guard = AndThen(
        state_.is_initial ? state_.session.flat.initial : Expr{}, state_.guard);
    state_.session.flat.assertions.push_back(
        {.condition = guard
                          ? graph.Select(guard, condition, graph.Boolean(true))
                          : condition,
         .message = check.message,
         .is_warning = check.is_warning,
         .span = state_.Where(span),
         .path = state_.lowering.where.instance->path});
    return;
  }
  // It depends on constants and parameters only, and fails for the model's own
  // values.
  if (!holds_always) {
    const std::string message =
        LowerText(state_.lowering, *call.arguments[1].value);
    if (check.is_warning) {
      Diagnostic warning = MakeDiagnostic(
          Severity::kWarning, state_.Where(span), "assertion: " + message);
      warning.path = state_.lowering.where.instance->path;
      state_.session.diagnostics.Add(std::move(warning));
    } else {
      state_.session.FailOf(
          state_.lowering.where, span, "assertion fails: " + message);
    }
  }
}

void EquationLowering::LowerTerminate(const ast::Call& call,
                                      const ast::Span& span) {
  Check check = LowerTermination(state_.lowering, call, span);
  for (const Message::Part& part : check.message.parts) {
    CheckNoLoop(part.value);
  }
  const Expr guard = AndThen(
      state_.is_initial ? state_.session.flat.initial : Expr{}, state_.guard);
  state_.session.flat.terminations.push_back(
      {.condition = guard ? guard : state_.session.graph.Boolean(true),
       .message = std::move(check.message),
       .span = state_.Where(span),
       .path = state_.lowering.where.instance->path});
}

// Assertions have no iterators: loops around them are unrolled.
void EquationLowering::CheckNoLoop(Expr formula) {
  if (formula && HasIterator(formula, state_.iterators)) {
    throw NeedsUnrolling{};
  }
}

// Loops ---------------------------------------------------------------------

void EquationLowering::LowerFor(const ast::For<ast::Equation>& loop,
                                std::size_t index,
                                const ast::Span& span) {
  if (index == loop.indices.size()) {
    Run(loop.body);
    return;
  }
  if (state_.is_written_out || NeedsPasses(loop.body)) {
    Unroll(loop, index);
    return;
  }
  const std::size_t errors = state_.session.diagnostics.error_count();
  const Lowered before = Mark();
  try {
    LowerPart(loop, index, std::nullopt, span);
  } catch (const NeedsUnrolling&) {
    GoBack(before);
    if (index > 0) {
      throw;  // The whole loop is unrolled.
    }
    if (state_.session.diagnostics.error_count() == errors) {
      Unroll(loop, index);
    }
  }
}

EquationLowering::Lowered EquationLowering::Mark() {
  return {.equations = state_.out().size(),
          .as_written = state_.session.flat.as_written.equations.size(),
          .assertions = state_.session.flat.assertions.size(),
          .terminations = state_.session.flat.terminations.size(),
          .iterators = state_.iterators.size(),
          .clock_uses = state_.session.clocks.size(),
          .scope = state_.lowering.Save(),
          .guard = state_.guard,
          .is_written_out = state_.is_written_out};
}

void EquationLowering::GoBack(const Lowered& before) {
  state_.lowering.Restore(before.scope);
  state_.out().resize(before.equations);
  state_.session.flat.as_written.equations.resize(before.as_written);
  state_.session.flat.assertions.resize(before.assertions);
  state_.session.flat.terminations.resize(before.terminations);
  state_.iterators.resize(before.iterators);
  state_.session.clocks.GoBack(before.clock_uses);
  state_.guard = before.guard;
  state_.is_written_out = before.is_written_out;
}

// @param range the values to lower; all of them if empty.
void EquationLowering::LowerPart(const ast::For<ast::Equation>& loop,
                                 std::size_t index,
                                 const std::optional<Range>& range,
                                 const ast::Span& span) {
  const Lowered before = Mark();
  std::vector<LoopPart> parts;
  Expr iterator;
  try {
    const ast::ForIndex& bound = loop.indices[index];
    iterator = (range ? Bind(state_.lowering, bound, *range)
                      : Bind(state_.lowering, bound))
                   .iterator;
    if (state_.session.graph.IteratorRange(iterator).count > 0) {
      state_.iterators.push_back(iterator);
      LowerFor(loop, index + 1, span);
      state_.iterators.pop_back();
    }
    Unbind(state_.lowering);
  } catch (const NeedsParts& needed) {
    GoBack(before);
    if (needed.iterator != iterator) {
      throw;
    }
    parts = needed.parts;
  }
  LowerParts(loop, index, parts, span);
}

void EquationLowering::LowerParts(const ast::For<ast::Equation>& loop,
                                  std::size_t index,
                                  std::span<const LoopPart> parts,
                                  const ast::Span& span) {
  const std::size_t errors = state_.session.diagnostics.error_count();
  for (const LoopPart& part : parts) {
    if (part.range.count > 1) {
      LowerPart(loop, index, part.range, span);
    } else {
      const ast::ForIndex& bound = loop.indices[index];
      Bind(state_.lowering,
           bound.name.text,
           NumberValue(IntegerOf(state_.session.graph, part.range.start),
                       EnumerationOf(state_.lowering, bound)));
      LowerFor(loop, index + 1, span);
      Unbind(state_.lowering);
    }
    if (state_.session.diagnostics.error_count() > errors) {
      break;  // The other parts would give the same error.
    }
  }
}

void EquationLowering::Unroll(const ast::For<ast::Equation>& loop,
                              std::size_t index) {
  const bool was_written_out = std::exchange(state_.is_written_out, true);
  const std::size_t errors = state_.session.diagnostics.error_count();
  for (const Value& value : Unrolled(state_.lowering, loop.indices[index])) {
    Bind(state_.lowering, loop.indices[index].name.text, value);
    LowerFor(loop, index + 1, loop.indices[index].span);
    Unbind(state_.lowering);
    if (state_.session.diagnostics.error_count() > errors) {
      break;  // The other passes would give the same error.
    }
  }
  state_.is_written_out = was_written_out;
}

}  // namespace orrery::modelica::internal
