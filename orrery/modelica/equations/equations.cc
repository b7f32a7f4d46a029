#include "orrery/modelica/equations/equations.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/equations/connection_counts.h"
#include "orrery/modelica/equations/connections.h"
#include "orrery/modelica/equations/overdetermined.h"
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
  const LoweringMark mark = lowering_.Save();
  const bool was_written_out = is_written_out_;
  const bool was_in_when = is_in_when_;
  const Expr guard = guard_;
  const std::size_t iterators = iterators_.size();
  try {
    work();
  } catch (const Abandoned&) {
    // Reported; the next equation may have errors of its own.
  } catch (const Error& error) {
    session_.diagnostics.Error(Where(span), error.what());
  }
  lowering_.Restore(mark);
  is_written_out_ = was_written_out;
  is_in_when_ = was_in_when;
  lowering_.is_in_when = is_in_when_;
  guard_ = guard;
  iterators_.resize(iterators);
}

void EquationLowering::Run(const ast::List<ast::Equation>& equations) {
  for (const ast::Equation& equation : equations) {
    Guarded(equation.span, [&] { Lower(equation); });
  }
}

void EquationLowering::Lower(const ast::Equation& equation) {
  const ast::Span& span = equation.span;
  std::visit(
      Overload{
          [&](const ast::SimpleEquation& simple) { LowerSimple(simple, span); },
          [&](const ast::CallItem& call) { LowerCall(call, span); },
          [&](const ast::If<ast::Equation>& choice) { LowerIf(choice, span); },
          [&](const ast::For<ast::Equation>& loop) { LowerFor(loop, 0, span); },
          [&](const ast::When<ast::Equation>& clause) {
            LowerWhen(clause, span);
          },
          [&](const ast::Connect& connect) {
            if (is_in_when_) {
              lowering_.Fail(span, "'connect' cannot stand in a when-clause");
            }
            if (is_initial_) {
              lowering_.Fail(span,
                             "'connect' cannot stand in an initial equation");
            }
            ConnectionLowering(lowering_, signals_).Connect(connect, span);
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
  if (is_in_when_) {
    CheckTarget(lowering_, *equation.left);
  }
  const std::size_t lost = session_.num_units_lost;
  const Value left = LowerExpression(lowering_, *equation.left);
  const Value right = LowerExpression(lowering_, *equation.right);
  Equate(left, right, span);
  if (session_.num_units_lost > lost && MayLowerAgain(*equation.left) &&
      MayLowerAgain(*equation.right)) {
    LowerAsWritten(equation, span);
  }
}

void EquationLowering::LowerAsWritten(const ast::SimpleEquation& equation,
                                      const ast::Span& span) {
  const Switched keeps(keeps_constants_, true);
  const Value left = LowerExpressionAsWritten(lowering_, *equation.left);
  Equate(left, LowerExpressionAsWritten(lowering_, *equation.right), span);
}

void EquationLowering::LowerTuple(const ast::Tuple& targets,
                                  const ast::Expression& call,
                                  const ast::Span& span) {
  const std::vector<Value> values = CallAll(lowering_, call);
  if (targets.elements.size() > values.size()) {
    lowering_.Fail(span,
                   "the function has " + std::to_string(values.size()) +
                       " outputs, fewer than the " +
                       std::to_string(targets.elements.size()) +
                       " on the left side");
  }
  for (std::size_t i = 0; i < targets.elements.size(); ++i) {
    if (targets.elements[i] != nullptr) {
      if (is_in_when_) {
        CheckTarget(lowering_, *targets.elements[i]);
      }
      Equate(LowerExpression(lowering_, *targets.elements[i]), values[i], span);
    }
  }
}

void EquationLowering::Equate(const Value& left,
                              const Value& right,
                              const ast::Span& span) {
  if (left.record != nullptr && right.record != nullptr &&
      !(left.record->elements.empty() && right.record->elements.empty())) {
    if (left.shape() != right.shape()) {
      lowering_.Fail(span,
                     "the sides have different sizes: " + Describe(left) +
                         " and " + Describe(right));
    }
    const std::vector<Value> others = ElementsOf(lowering_, right);
    const std::vector<Value> elements = ElementsOf(lowering_, left);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Equate(elements[i], others[i], span);
    }
    return;
  }
  if (left.record != nullptr && right.record != nullptr) {
    for (const auto& [name, field] : left.record->fields) {
      const Value* const other = right.record->Find(name);
      if (other == nullptr) {
        lowering_.Fail(span,
                       "the sides are different records: " + Describe(left) +
                           " and " + Describe(right));
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
    lowering_.Fail(span,
                   "the sides have different types: " + Describe(left) +
                       " and " + Describe(right));
  }
  if (left.shape() != right.shape()) {
    lowering_.Fail(span,
                   "the sides have different sizes: " + Describe(left) +
                       " and " + Describe(right));
  }
  if (left.expr.op() == Op::kSymbol &&
      left.expr.type() == ValueType::kInteger &&
      right.expr.type() == ValueType::kReal) {
    lowering_.Fail(span,
                   "the sides have different types: " + Describe(left) +
                       " and " + Describe(right),
                   "write 'integer' to round a Real down");
  }
  if (NumElements(left.shape()) == 0) {
    return;
  }
  out().push_back({.left = left.expr,
                   .right = InWhen(right.expr),
                   .iterators = iterators_,
                   .span = Where(span),
                   .path = lowering_.where.instance->path});
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
    LowerReinit(call, span);
    return;
  }
  if (name == "transition" || name == "initialState") {
    if (is_in_when_ || is_initial_ || guard_) {
      lowering_.Fail(span,
                     "'" + name +
                         "' stands among equations that always hold "
                         "(specification 3.6, section 17.1)");
    }
    static_cast<void>(RunBuiltIn(lowering_, name, call, span));
    return;
  }
  if (name.starts_with("Connections.")) {
    LowerConnectionsOperator(lowering_, name, call, span);
    return;
  }
  LowerUnusedCall(call, span);
}

// Equates an unused variable with the result, so that the call is made wherever
// equations hold, under the conditions around it. Calls in initial equations
// are made at the start (specification 3.6, sections 8.3.9 and 8.6).
void EquationLowering::LowerUnusedCall(const ast::Call& call,
                                       const ast::Span& span) {
  const Expr result = InWhen(CallForEffect(lowering_, call, span));
  CheckNoLoop(result);
  const Expr guard =
      AndThen(is_initial_ ? session_.flat.initial : Expr{}, guard_);
  ExprGraph& graph = session_.graph;
  if (guard && std::ranges::binary_search(Reachable({&guard, 1}),
                                          session_.flat.initial.id())) {
    session_.flat.assertions.push_back(
        MadeAtStart(session_, guard, result, Where(span)));
    session_.flat.assertions.back().path = lowering_.where.instance->path;
    return;
  }
  calls_.push_back(
      {.left = session_.events.AddUnused(
           "result of " + ast::ToString(call.function), Where(span)),
       .right =
           guard ? graph.Select(guard, result, graph.Constant(0, result.type()))
                 : result,
       .span = Where(span),
       .path = lowering_.where.instance->path});
  AddCalls();
}

// Calls stay out of branches, whose equations must match those of other
// branches.
void EquationLowering::AddCalls() {
  if (guard_) {
    return;  // A branch is open.
  }
  session_.flat.equations.insert(
      session_.flat.equations.end(), calls_.begin(), calls_.end());
  calls_.clear();
}

void EquationLowering::LowerAssert(const ast::Call& call,
                                   const ast::Span& span) {
  for (const Check& check : LowerAssertion(lowering_, call, span)) {
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
  if (!holds_always && (guard_ || check.holds.value_or(true))) {
    CheckNoLoop(check.condition);
    for (const Message::Part& part : check.message.parts) {
      CheckNoLoop(part.value);
    }
    ExprGraph& graph = session_.graph;
    const Expr condition = InWhen(check.condition);
    const Expr guard =
        AndThen(is_initial_ ? session_.flat.initial : Expr{}, guard_);
    session_.flat.assertions.push_back(
        {.condition = guard
                          ? graph.Select(guard, condition, graph.Boolean(true))
                          : condition,
         .message = check.message,
         .is_warning = check.is_warning,
         .span = Where(span),
         .path = lowering_.where.instance->path});
    return;
  }
  // It depends on constants and parameters only, and fails for the model's own
  // values.
  if (!holds_always) {
    const std::string message = LowerText(lowering_, *call.arguments[1].value);
    if (check.is_warning) {
      Diagnostic warning = MakeDiagnostic(
          Severity::kWarning, Where(span), "assertion: " + message);
      warning.path = lowering_.where.instance->path;
      session_.diagnostics.Add(std::move(warning));
    } else {
      session_.FailOf(lowering_.where, span, "assertion fails: " + message);
    }
  }
}

void EquationLowering::LowerTerminate(const ast::Call& call,
                                      const ast::Span& span) {
  Check check = LowerTermination(lowering_, call, span);
  for (const Message::Part& part : check.message.parts) {
    CheckNoLoop(part.value);
  }
  const Expr guard =
      AndThen(is_initial_ ? session_.flat.initial : Expr{}, guard_);
  session_.flat.terminations.push_back(
      {.condition = guard ? guard : session_.graph.Boolean(true),
       .message = std::move(check.message),
       .span = Where(span),
       .path = lowering_.where.instance->path});
}

// Assertions have no iterators: loops around them are unrolled.
void EquationLowering::CheckNoLoop(Expr formula) {
  if (formula && HasIterator(formula, iterators_)) {
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
  if (is_written_out_ || NeedsPasses(loop.body)) {
    Unroll(loop, index);
    return;
  }
  const std::size_t errors = session_.diagnostics.error_count();
  const Lowered before = Mark();
  try {
    LowerPart(loop, index, std::nullopt, span);
  } catch (const NeedsUnrolling&) {
    GoBack(before);
    if (index > 0) {
      throw;  // The whole loop is unrolled.
    }
    if (session_.diagnostics.error_count() == errors) {
      Unroll(loop, index);
    }
  }
}

EquationLowering::Lowered EquationLowering::Mark() {
  return {.equations = out().size(),
          .as_written = session_.flat.as_written.equations.size(),
          .assertions = session_.flat.assertions.size(),
          .terminations = session_.flat.terminations.size(),
          .iterators = iterators_.size(),
          .clock_uses = session_.clocks.size(),
          .scope = lowering_.Save(),
          .guard = guard_,
          .is_written_out = is_written_out_};
}

void EquationLowering::GoBack(const Lowered& before) {
  lowering_.Restore(before.scope);
  out().resize(before.equations);
  session_.flat.as_written.equations.resize(before.as_written);
  session_.flat.assertions.resize(before.assertions);
  session_.flat.terminations.resize(before.terminations);
  iterators_.resize(before.iterators);
  session_.clocks.GoBack(before.clock_uses);
  guard_ = before.guard;
  is_written_out_ = before.is_written_out;
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
    iterator = (range ? Bind(lowering_, bound, *range) : Bind(lowering_, bound))
                   .iterator;
    if (session_.graph.IteratorRange(iterator).count > 0) {
      iterators_.push_back(iterator);
      LowerFor(loop, index + 1, span);
      iterators_.pop_back();
    }
    Unbind(lowering_);
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
  const std::size_t errors = session_.diagnostics.error_count();
  for (const LoopPart& part : parts) {
    if (part.range.count > 1) {
      LowerPart(loop, index, part.range, span);
    } else {
      const ast::ForIndex& bound = loop.indices[index];
      Bind(lowering_,
           bound.name.text,
           NumberValue(IntegerOf(session_.graph, part.range.start),
                       EnumerationOf(lowering_, bound)));
      LowerFor(loop, index + 1, span);
      Unbind(lowering_);
    }
    if (session_.diagnostics.error_count() > errors) {
      break;  // The other parts would give the same error.
    }
  }
}

void EquationLowering::Unroll(const ast::For<ast::Equation>& loop,
                              std::size_t index) {
  const bool was_written_out = std::exchange(is_written_out_, true);
  const std::size_t errors = session_.diagnostics.error_count();
  for (const Value& value : Unrolled(lowering_, loop.indices[index])) {
    Bind(lowering_, loop.indices[index].name.text, value);
    LowerFor(loop, index + 1, loop.indices[index].span);
    Unbind(lowering_);
    if (session_.diagnostics.error_count() > errors) {
      break;  // The other passes would give the same error.
    }
  }
  is_written_out_ = was_written_out;
}

}  // namespace orrery::modelica::internal
