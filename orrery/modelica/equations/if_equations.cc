#include "orrery/modelica/equations/if_equations.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/modelica/equations/overdetermined.h"
#include "orrery/modelica/equations/when_targets.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

using Branches = std::vector<std::vector<Equation>>;

std::int64_t CountScalars(const std::vector<Equation>& equations) {
  std::int64_t count = 0;
  for (const Equation& equation : equations) {
    count += NumElements(equation.left.shape());
  }
  return count;
}

const Shape& ShapeOfLeft(const Equation& equation) {
  return equation.left.shape();
}

bool HaveSameShapes(const std::vector<Equation>& a,
                    const std::vector<Equation>& b) {
  return std::ranges::equal(a, b, {}, ShapeOfLeft, ShapeOfLeft);
}

// Puts equations of the same left side in the same place of each branch.
void Align(Branches& branches) {
  std::unordered_map<std::uint32_t, std::size_t> places;
  const std::vector<Equation>& first = branches.front();
  for (std::size_t k = 0; k < first.size(); ++k) {
    places.emplace(first[k].left.id(), k);
  }
  for (std::vector<Equation>& branch : branches) {
    for (std::size_t k = 0; k < branch.size(); ++k) {
      auto found = places.find(branch[k].left.id());
      while (found != places.end() && found->second < branch.size() &&
             branch[found->second].left != branch[k].left) {
        std::swap(branch[k], branch[found->second]);
        found = places.find(branch[k].left.id());
      }
    }
  }
}

// Brings the branches to the same equations. They must have as many scalar
// equations as each other (specification 3.6, section 8.3.4), but one may have
// an array where another has its elements.
void MatchBranches(EquationState& state,
                   std::vector<std::vector<Equation>>& branches,
                   const ast::Span& span) {
  const std::int64_t count = CountScalars(branches.front());
  for (const std::vector<Equation>& branch : branches) {
    const std::int64_t other = CountScalars(branch);
    if (other != count) {
      state.lowering.Fail(span,
                          "the branches of this if-equation have " +
                              std::to_string(count) + " and " +
                              std::to_string(other) + " equations",
                          "branches must have as many equations as each other");
    }
  }
  Align(branches);
  const auto fits = [&](const std::vector<Equation>& branch) {
    return HaveSameShapes(branch, branches.front());
  };
  if (std::ranges::all_of(branches, fits)) {
    return;
  }
  state.session.unrolled += count;
  if (state.session.unrolled > kMaxUnrolled) {
    state.lowering.Fail(
        span,
        "the branches of this if-equation have arrays of different "
        "sizes, with too many elements to compare one by one",
        "write equations of the same arrays in all branches");
  }
  for (std::vector<Equation>& branch : branches) {
    SplitIntoScalars(state.session.graph, branch);
  }
  Align(branches);
}

void CombineBranches(EquationState& state,
                     std::span<const Expr> conditions,
                     const std::vector<std::vector<Equation>>& branches,
                     const ast::Span& span) {
  ExprGraph& graph = state.session.graph;
  for (std::size_t k = 0; k < branches.front().size(); ++k) {
    const Equation& last = branches.back()[k];
    const bool same_left = std::ranges::all_of(
        branches,
        [&](const auto& branch) { return branch[k].left == last.left; });
    const auto residual = [&](const Equation& equation) {
      return same_left ? equation.right : equation.left - equation.right;
    };
    for (const std::vector<Equation>& branch : branches) {
      if (!same_left && branch[k].left.type() == ValueType::kBoolean) {
        state.lowering.Fail(span,
                            "equations of Booleans in the branches of an "
                            "if-equation must have one left side");
      }
    }
    Expr value = residual(last);
    for (std::size_t b = conditions.size(); b-- > 0;) {
      value = graph.Select(conditions[b], residual(branches[b][k]), value);
    }
    Equation combined = last;
    combined.span = state.Where(span);
    combined.right = value;
    if (!same_left) {
      combined.left = BuildArray(
          graph, value.shape(), [&](auto) { return graph.Constant(0); });
    }
    combined.iterators = state.iterators;
    state.out().push_back(std::move(combined));
  }
}

void LowerVaryingIf(EquationLowering& equations,
                    std::span<const Expr> conditions,
                    std::span<const ast::Branch<ast::Equation>* const> taken,
                    const ast::Span& span) {
  EquationState& state = equations.state();
  const bool was_written_out = std::exchange(state.is_written_out, true);
  WhenChoice choice{.conditions = {conditions.begin(), conditions.end()}};
  const std::size_t errors = state.session.diagnostics.error_count();
  const std::size_t connections = state.session.flat.connections.size();
  Expr others;  // No condition before holds.
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const Expr own = i < conditions.size() ? conditions[i] : Expr{};
    choice.branches.push_back(
        equations.LowerBranch(taken[i]->body, AndThen(others, own)));
    if (own) {
      others = AndThen(others, state.session.graph.Unary(Op::kNot, own));
    }
  }
  state.is_written_out = was_written_out;
  if (state.session.flat.connections.size() != connections) {
    state.lowering.Fail(
        span,
        "'connect' cannot depend on a condition that changes during "
        "a run");
  }
  if (state.session.diagnostics.error_count() != errors) {
    return;
  }
  const bool is_complete = taken.size() > conditions.size();
  if (state.is_in_when) {
    if (!is_complete) {
      choice.branches.emplace_back();
    }
    std::ranges::move(AssignmentsOf(state.lowering, std::move(choice), span),
                      std::back_inserter(state.out()));
    return;
  }
  if (!is_complete &&
      std::ranges::any_of(choice.branches,
                          [](const auto& branch) { return !branch.empty(); })) {
    state.lowering.Fail(
        span,
        "an if-equation whose condition changes during a run needs "
        "an 'else' with as many equations");
  }
  MatchBranches(state, choice.branches, span);
  CombineBranches(state, conditions, choice.branches, span);
}

}  // namespace

void LowerIf(EquationLowering& equations,
             const ast::If<ast::Equation>& choice,
             const ast::Span& span) {
  EquationState& state = equations.state();
  std::vector<Expr> conditions;
  std::vector<const ast::Branch<ast::Equation>*> taken;
  bool is_complete = false;
  for (const ast::Branch<ast::Equation>& branch : choice.branches) {
    std::optional<bool> holds = true;
    Expr condition;
    if (branch.condition != nullptr) {
      condition = LowerCondition(state.lowering, *branch.condition);
      holds = DecideInLoop(state.lowering, condition);
      if (!holds) {
        holds = Decide(state.lowering, condition);
      }
      if (!holds && HasIterator(condition, state.iterators)) {
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
    conditions.push_back(state.InWhen(condition));
  }
  if (conditions.empty()) {
    if (is_complete) {
      equations.Run(taken.front()->body);
    }
    return;
  }
  LowerVaryingIf(equations, conditions, taken, span);
}

const ast::List<ast::Equation>* TakenBranch(EquationLowering& equations,
                                            const ast::Equation& equation) {
  EquationState& state = equations.state();
  const auto* const choice =
      std::get_if<ast::If<ast::Equation>>(&equation.node);
  if (choice == nullptr) {
    return nullptr;
  }
  const ast::List<ast::Equation>* taken = nullptr;
  equations.Guarded(equation.span, [&] {
    for (const ast::Branch<ast::Equation>& branch : choice->branches) {
      std::optional<bool> holds = true;
      if (branch.condition != nullptr) {
        holds = AsksForRoots(*branch.condition)
                    ? std::nullopt
                    : Decide(state.lowering,
                             LowerCondition(state.lowering, *branch.condition));
      }
      if (holds != false) {
        taken = holds ? &branch.body : nullptr;
        return;
      }
    }
  });
  return taken;
}

}  // namespace orrery::modelica::internal
