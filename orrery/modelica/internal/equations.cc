#include "orrery/modelica/internal/equations.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/internal/overload.h"

namespace orrery::modelica::internal {
namespace {

bool HasConnect(const ast::List<ast::Equation>& equations) {
  return std::ranges::any_of(equations, [](const ast::Equation& equation) {
    if (std::holds_alternative<ast::Connect>(equation.node)) {
      return true;
    }
    if (const auto* loop =
            std::get_if<ast::For<ast::Equation>>(&equation.node)) {
      return HasConnect(loop->body);
    }
    if (const auto* choice =
            std::get_if<ast::If<ast::Equation>>(&equation.node)) {
      return std::ranges::any_of(choice->branches, [](const auto& branch) {
        return HasConnect(branch.body);
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
          [&](const ast::When<ast::Equation>&) {
            lowering_.Fail(span,
                           "'when' is not supported yet: events are not "
                           "supported yet");
          },
          [&](const ast::Connect& connect) { Connect(connect, span); },
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
                   .right = right.expr,
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
  if (name == "terminate" || name == "reinit") {
    lowering_.Fail(
        span,
        "'" + name + "' is not supported yet: events are not supported yet");
  }
  lowering_.Fail(span,
                 "calling '" + name +
                     "' as an equation is not supported yet: its results are "
                     "not used",
                 "");
}

void EquationLowering::LowerAssert(const ast::Call& call,
                                   const ast::Span& span) {
  if (call.arguments.size() < 2) {
    lowering_.Fail(span, "'assert' takes a condition and a message");
  }
  const ast::Expression& condition = *call.arguments[0].value;
  // Checked for the values that the model gives; they may change later.
  const auto holds = TryEvaluate(session_, lowering_.Condition(condition));
  if (!holds) {
    session_.diagnostics.Warning(
        Where(span),
        "this assertion is not checked: conditions that change during a run "
        "are not supported yet");
    return;
  }
  if (holds->front() == 0) {
    const std::string message = lowering_.Text(*call.arguments[1].value);
    bool is_warning = false;
    if (call.arguments.size() > 2) {
      const Value level = lowering_.Lower(*call.arguments[2].value);
      is_warning = level.is_number() && level.expr.is_constant(1);
    }
    if (is_warning) {
      session_.diagnostics.Warning(Where(span), "assertion: " + message);
    } else {
      lowering_.Fail(span, "assertion fails: " + message);
    }
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
  if (is_written_out_ || HasConnect(loop.body)) {
    Unroll(loop, index);
    return;
  }
  const std::size_t equations = out().size();
  const std::size_t iterators = iterators_.size();
  const std::size_t errors = session_.diagnostics.error_count();
  const Lowering::Mark mark = lowering_.Save();
  try {
    const Lowering::Iteration iteration = lowering_.Bind(loop.indices[index]);
    if (session_.graph.IteratorRange(iteration.iterator).count > 0) {
      iterators_.push_back(iteration.iterator);
      LowerFor(loop, index + 1, span);
      iterators_.pop_back();
    }
    lowering_.Unbind();
  } catch (const NeedsUnrolling&) {
    lowering_.Restore(mark);
    out().resize(equations);
    iterators_.resize(iterators);
    if (index > 0) {
      throw;  // The whole loop is written out.
    }
    if (session_.diagnostics.error_count() == errors) {
      Unroll(loop, index);
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
      holds = lowering_.Decide(condition);
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
    conditions.push_back(condition);
  }
  if (conditions.empty()) {
    if (is_complete) {
      Run(taken.front()->body);
    }
    return;
  }
  if (!is_complete) {
    lowering_.Fail(span,
                   "an if-equation whose condition changes during a run needs "
                   "an 'else' with as many equations");
  }
  LowerVaryingIf(conditions, taken, span);
}

void EquationLowering::LowerVaryingIf(
    std::span<const Expr> conditions,
    std::span<const ast::Branch<ast::Equation>* const> taken,
    const ast::Span& span) {
  const bool was_written_out = std::exchange(is_written_out_, true);
  std::vector<std::vector<Equation>> branches;
  const std::size_t first = out().size();
  const std::size_t errors = session_.diagnostics.error_count();
  const std::size_t connections = session_.flat.connections.size();
  for (const ast::Branch<ast::Equation>* const branch : taken) {
    Run(branch->body);
    const auto begin = out().begin() + static_cast<std::ptrdiff_t>(first);
    branches.emplace_back(begin, out().end());
    out().erase(begin, out().end());
  }
  is_written_out_ = was_written_out;
  if (session_.flat.connections.size() != connections) {
    lowering_.Fail(span,
                   "'connect' cannot depend on a condition that changes during "
                   "a run");
  }
  if (session_.diagnostics.error_count() == errors) {
    Combine(conditions, branches, span);
  }
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
