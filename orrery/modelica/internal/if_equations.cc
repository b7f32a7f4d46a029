#include <algorithm>
#include <utility>

#include "orrery/modelica/internal/equations.h"

namespace orrery::modelica::internal {

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
