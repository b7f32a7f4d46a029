#include "orrery/modelica/equations/when_targets.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "orrery/modelica/expressions/places.h"
#include "orrery/symbolic/node_index.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

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

void CheckSameTargets(LoweringContext& context,
                      WhenChoice& choice,
                      const ast::Span& span) {
  if (AssignSame(choice.branches)) {
    return;
  }
  for (std::vector<Equation>& branch : choice.branches) {
    SplitTargets(context.session.graph, branch, true);
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
      context.Fail(
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

}  // namespace

void SplitIntoScalars(ExprGraph& graph, std::vector<Equation>& equations) {
  orrery::Elements elements(graph);
  std::vector<Equation> split;
  for (const Equation& equation : equations) {
    const std::vector<Expr> left = elements.All(equation.left);
    const std::vector<Expr> right = elements.All(equation.right);
    for (std::size_t i = 0; i < left.size(); ++i) {
      Equation& element = split.emplace_back(equation);
      element.left = left[i];
      element.right = right[i];
    }
  }
  equations = std::move(split);
}

void CheckTarget(LoweringContext& context, const ast::Expression& target) {
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&target.node);
  if (reference == nullptr) {
    context.Fail(target.span,
                 "the left side of an equation in a when-clause is the "
                 "variable that it assigns, not a formula");
  }
  const NamedPlace place = FindPlace(context, *reference);
  const Variability variability = place.component->variability;
  if (variability <= Variability::kParameter) {
    context.Fail(
        target.span,
        (variability == Variability::kConstant ? "constant '" : "parameter '") +
            place.component->path() + "' cannot be assigned in a when-clause");
  }
}

void SplitTargets(ExprGraph& graph,
                  std::vector<Equation>& equations,
                  bool into_elements) {
  std::vector<Equation> split;
  for (Equation& equation : equations) {
    const bool is_kept =
        IsPlain(equation.left) && (equation.left.is_scalar() || !into_elements);
    std::vector<Equation> parts = {std::move(equation)};
    if (!is_kept) {
      SplitIntoScalars(graph, parts);
    }
    std::ranges::move(parts, std::back_inserter(split));
  }
  equations = std::move(split);
}

void AddTargets(Session& session,
                const std::vector<Equation>& equations,
                EventTable::Target target) {
  for (const Equation& equation : equations) {
    const auto fail = [&] {
      session.diagnostics.Error(
          equation.span,
          "the subscripts of what a when-clause assigns must be known when "
          "the model is translated");
      throw Abandoned{};
    };
    if (!IsPlain(equation.left)) {
      fail();
    }
    const Stretch stretch = StretchOf(equation.left);
    const auto found = session.component_of.find(stretch.symbol.id());
    if (found == session.component_of.end()) {
      fail();
    }
    std::vector<std::int64_t> elements;
    for (std::int64_t i = 0; i < stretch.count; ++i) {
      elements.push_back(stretch.first + i);
    }
    target.component = found->second;
    target.elements = elements;
    target.span = equation.span;
    session.events.AddTarget(target);
  }
}

std::vector<Equation> AssignmentsOf(LoweringContext& context,
                                    WhenChoice choice,
                                    const ast::Span& span) {
  CheckSameTargets(context, choice, span);
  ExprGraph& graph = context.session.graph;
  const bool has_else = choice.branches.size() > choice.conditions.size();
  const auto targets = TargetsOf(choice.branches);
  std::vector<Equation> assignments;
  for (const Equation& equation : choice.branches.front()) {
    Expr value = has_else ? targets.back().Find(equation.left)->right
                          : graph.Pre(equation.left);
    for (std::size_t i = choice.conditions.size(); i-- > 0;) {
      const Equation* const own = targets[i].Find(equation.left);
      value = graph.Select(choice.conditions[i], own->right, value);
    }
    Equation assigned = equation;
    assigned.right = value;
    assignments.push_back(std::move(assigned));
  }
  return assignments;
}

}  // namespace orrery::modelica::internal
