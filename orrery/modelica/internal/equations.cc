#include "orrery/modelica/internal/equations.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/internal/overload.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// Whether there is something that is of each pass of a loop by itself.
bool NeedsPasses(const ast::List<ast::Equation>& equations) {
  return std::ranges::any_of(equations, [](const ast::Equation& equation) {
    if (std::holds_alternative<ast::Connect>(equation.node) ||
        std::holds_alternative<ast::When<ast::Equation>>(equation.node)) {
      return true;
    }
    if (const auto* loop =
            std::get_if<ast::For<ast::Equation>>(&equation.node)) {
      return NeedsPasses(loop->body);
    }
    if (const auto* choice =
            std::get_if<ast::If<ast::Equation>>(&equation.node)) {
      return std::ranges::any_of(choice->branches, [](const auto& branch) {
        return NeedsPasses(branch.body);
      });
    }
    return false;
  });
}

}  // namespace

bool HasIterator(Expr expr, std::span<const Expr> iterators) {
  std::vector<Expr> stack = {expr};
  std::unordered_set<std::uint32_t> seen;
  while (!stack.empty()) {
    const Expr top = stack.back();
    stack.pop_back();
    if (!seen.insert(top.id()).second) {
      continue;
    }
    if (top.op() == Op::kIterator &&
        std::ranges::find(iterators, top) != iterators.end()) {
      return true;
    }
    for (std::size_t i = 0; i < top.num_operands(); ++i) {
      stack.push_back(top.operand(i));
    }
  }
  return false;
}

void EquationLowering::Guarded(const ast::Span& span,
                               const std::function<void()>& work) {
  const Lowering::Mark mark = lowering_.Save();
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
  lowering_.SetInWhen(is_in_when_);
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
            Connect(connect, span);
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
    CheckTarget(*equation.left);
  }
  const Value left = lowering_.Lower(*equation.left);
  const Value right = lowering_.Lower(*equation.right);
  Equate(left, right, span);
}

void EquationLowering::LowerTuple(const ast::Tuple& targets,
                                  const ast::Expression& call,
                                  const ast::Span& span) {
  const std::vector<Value> values = lowering_.CallAll(call);
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
        CheckTarget(*targets.elements[i]);
      }
      Equate(lowering_.Lower(*targets.elements[i]), values[i], span);
    }
  }
}

void EquationLowering::Equate(const Value& left,
                              const Value& right,
                              const ast::Span& span) {
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
  if (!are_numbers || left.enumeration != right.enumeration ||
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
                   .path = lowering_.context().instance->path});
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
  LowerUnusedCall(call, span);
}

// A variable that nobody reads is equal to what the call gives: the call is
// made wherever equations hold.
void EquationLowering::LowerUnusedCall(const ast::Call& call,
                                       const ast::Span& span) {
  if (is_initial_ || is_in_when_ || guard_) {
    lowering_.Fail(span,
                   "calling '" + ast::ToString(call.function) +
                       "' without use of what it gives is not supported yet "
                       "here: the call depends on a condition, or is of the "
                       "start",
                   "call it in an algorithm");
  }
  const Expr result = lowering_.CallForEffect(call, span);
  CheckNoLoop(result);
  orrery::Elements elements(session_.graph);
  const Expr first = elements.All(result).front();
  ExprGraph& graph = session_.graph;
  session_.flat.equations.push_back(
      {.left = session_.events.AddUnused("unused", Where(span)),
       .right = first.type() == ValueType::kBoolean
                    ? graph.Select(first, graph.Constant(1), graph.Constant(0))
                    : first,
       .span = Where(span),
       .path = lowering_.context().instance->path});
}

void EquationLowering::LowerAssert(const ast::Call& call,
                                   const ast::Span& span) {
  Lowering::Check check = lowering_.LowerAssert(call, span);
  // What holds for the parameters that the model gives may not for others.
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
         .message = std::move(check.message),
         .is_warning = check.is_warning,
         .span = Where(span),
         .path = lowering_.context().instance->path});
    return;
  }
  // Of constants and parameters, with the values that the model gives.
  if (!holds_always) {
    const std::string message = lowering_.Text(*call.arguments[1].value);
    if (check.is_warning) {
      session_.diagnostics.Warning(Where(span), "assertion: " + message);
    } else {
      lowering_.Fail(span, "assertion fails: " + message);
    }
  }
}

void EquationLowering::LowerTerminate(const ast::Call& call,
                                      const ast::Span& span) {
  Lowering::Check check = lowering_.LowerTerminate(call, span);
  for (const Message::Part& part : check.message.parts) {
    CheckNoLoop(part.value);
  }
  const Expr guard =
      AndThen(is_initial_ ? session_.flat.initial : Expr{}, guard_);
  session_.flat.terminations.push_back(
      {.condition = guard ? guard : session_.graph.Boolean(true),
       .message = std::move(check.message),
       .span = Where(span),
       .path = lowering_.context().instance->path});
}

// Asserts have no loops of their own: those around them are written out.
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
      throw;  // The whole loop is written out.
    }
    if (session_.diagnostics.error_count() == errors) {
      Unroll(loop, index);
    }
  }
}

EquationLowering::Lowered EquationLowering::Mark() {
  return {.equations = out().size(),
          .assertions = session_.flat.assertions.size(),
          .terminations = session_.flat.terminations.size(),
          .iterators = iterators_.size(),
          .scope = lowering_.Save(),
          .guard = guard_,
          .is_written_out = is_written_out_};
}

void EquationLowering::GoBack(const Lowered& before) {
  lowering_.Restore(before.scope);
  out().resize(before.equations);
  session_.flat.assertions.resize(before.assertions);
  session_.flat.terminations.resize(before.terminations);
  iterators_.resize(before.iterators);
  guard_ = before.guard;
  is_written_out_ = before.is_written_out;
}

// @param range of the values that count; all, if it is not given.
void EquationLowering::LowerPart(const ast::For<ast::Equation>& loop,
                                 std::size_t index,
                                 const std::optional<Range>& range,
                                 const ast::Span& span) {
  const Lowered before = Mark();
  std::vector<LoopPart> parts;
  Expr iterator;
  try {
    const ast::ForIndex& bound = loop.indices[index];
    iterator = (range ? lowering_.Bind(bound.name.text, *range)
                      : lowering_.Bind(bound))
                   .iterator;
    if (session_.graph.IteratorRange(iterator).count > 0) {
      iterators_.push_back(iterator);
      LowerFor(loop, index + 1, span);
      iterators_.pop_back();
    }
    lowering_.Unbind();
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
      lowering_.Bind(loop.indices[index].name.text,
                     NumberValue(IntegerOf(session_.graph, part.range.start)));
      LowerFor(loop, index + 1, span);
      lowering_.Unbind();
    }
    if (session_.diagnostics.error_count() > errors) {
      break;  // The other parts would say the same.
    }
  }
}

void EquationLowering::Unroll(const ast::For<ast::Equation>& loop,
                              std::size_t index) {
  const bool was_written_out = std::exchange(is_written_out_, true);
  const std::size_t errors = session_.diagnostics.error_count();
  for (const Value& value : lowering_.Unrolled(loop.indices[index])) {
    lowering_.Bind(loop.indices[index].name.text, value);
    LowerFor(loop, index + 1, loop.indices[index].span);
    lowering_.Unbind();
    if (session_.diagnostics.error_count() > errors) {
      break;  // The other passes would say the same.
    }
  }
  is_written_out_ = was_written_out;
}

// Branches ------------------------------------------------------------------

void EquationLowering::LowerIf(const ast::If<ast::Equation>& choice,
                               const ast::Span& span) {
  std::vector<Expr> conditions;
  std::vector<const ast::Branch<ast::Equation>*> taken;
  bool is_complete = false;
  for (const ast::Branch<ast::Equation>& branch : choice.branches) {
    std::optional<bool> holds = true;
    Expr condition;
    if (branch.condition != nullptr) {
      condition = lowering_.Condition(*branch.condition);
      holds = lowering_.DecideInLoop(condition);
      if (!holds) {
        holds = lowering_.Decide(condition);
      }
      if (!holds && HasIterator(condition, iterators_)) {
        throw NeedsUnrolling{};
      }
    }
    if (holds && !*holds) {
      continue;
    }
    taken.push_back(&branch);
    if (holds) {
      is_complete = true;
      break;
    }
    conditions.push_back(InWhen(condition));
  }
  if (conditions.empty()) {
    if (is_complete) {
      Run(taken.front()->body);
    }
    return;
  }
  LowerVaryingIf(conditions, taken, span);
}

// The equations of a body, taken out of the model, that hold if `guard` does.
std::vector<Equation> EquationLowering::LowerBranch(
    const ast::List<ast::Equation>& body, Expr guard) {
  const Expr around = std::exchange(guard_, AndThen(guard_, guard));
  const std::size_t first = out().size();
  Run(body);
  guard_ = around;
  const auto begin = out().begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<Equation> equations(begin, out().end());
  out().erase(begin, out().end());
  return equations;
}

void EquationLowering::LowerVaryingIf(
    std::span<const Expr> conditions,
    std::span<const ast::Branch<ast::Equation>* const> taken,
    const ast::Span& span) {
  const bool was_written_out = std::exchange(is_written_out_, true);
  Choice choice{.conditions = {conditions.begin(), conditions.end()}};
  const std::size_t errors = session_.diagnostics.error_count();
  const std::size_t connections = session_.flat.connections.size();
  Expr others;  // That no condition before holds.
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const Expr own = i < conditions.size() ? conditions[i] : Expr{};
    choice.branches.push_back(
        LowerBranch(taken[i]->body, AndThen(others, own)));
    if (own) {
      others = AndThen(others, session_.graph.Unary(Op::kNot, own));
    }
  }
  is_written_out_ = was_written_out;
  if (session_.flat.connections.size() != connections) {
    lowering_.Fail(span,
                   "'connect' cannot depend on a condition that changes during "
                   "a run");
  }
  if (session_.diagnostics.error_count() != errors) {
    return;
  }
  const bool is_complete = taken.size() > conditions.size();
  if (is_in_when_) {
    if (!is_complete) {
      choice.branches.emplace_back();
    }
    Assign(std::move(choice), span);
    return;
  }
  if (!is_complete &&
      std::ranges::any_of(choice.branches,
                          [](const auto& branch) { return !branch.empty(); })) {
    lowering_.Fail(span,
                   "an if-equation whose condition changes during a run needs "
                   "an 'else' with as many equations");
  }
  Combine(conditions, choice.branches, span);
}

void EquationLowering::Combine(
    std::span<const Expr> conditions,
    const std::vector<std::vector<Equation>>& branches,
    const ast::Span& span) {
  for (const std::vector<Equation>& branch : branches) {
    if (branch.size() != branches.front().size()) {
      lowering_.Fail(span,
                     "the branches of this if-equation have " +
                         std::to_string(branches.front().size()) + " and " +
                         std::to_string(branch.size()) + " equations",
                     "branches must have as many equations as each other");
    }
  }
  ExprGraph& graph = session_.graph;
  for (std::size_t k = 0; k < branches.front().size(); ++k) {
    const Equation& last = branches.back()[k];
    const bool same_left = std::ranges::all_of(
        branches,
        [&](const auto& branch) { return branch[k].left == last.left; });
    const auto residual = [&](const Equation& equation) {
      return same_left ? equation.right : equation.left - equation.right;
    };
    for (const std::vector<Equation>& branch : branches) {
      if (branch[k].left.shape() != last.left.shape()) {
        lowering_.Fail(span,
                       "equations number " + std::to_string(k + 1) +
                           " of the branches have different sizes");
      }
      if (!same_left && branch[k].left.type() == ValueType::kBoolean) {
        lowering_.Fail(span,
                       "equations of Booleans in the branches of an "
                       "if-equation must have one left side");
      }
    }
    Expr value = residual(last);
    for (std::size_t b = conditions.size(); b-- > 0;) {
      value = graph.Select(conditions[b], residual(branches[b][k]), value);
    }
    Equation combined = last;
    combined.span = Where(span);
    combined.right = value;
    if (!same_left) {
      combined.left = BuildArray(
          graph, value.shape(), [&](auto) { return graph.Constant(0); });
    }
    combined.iterators = iterators_;
    out().push_back(std::move(combined));
  }
}

}  // namespace orrery::modelica::internal
