#include "orrery/compile/scalarize/extrema.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/compile/system/equation_loops.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

bool IsLoop(Op op) {
  return op >= Op::kBuild && op <= Op::kMaximum;
}

class ExtremumFinder {
 public:
  explicit ExtremumFinder(const FlatModel& model)
      : model_(model), graph_(*model.graph) {
    for (const Variable& variable : model.variables) {
      if (IsParameter(variable)) {
        parameters_.insert(variable.symbol.id());
      }
    }
  }

  std::optional<FlatModel> Run() {
    for (const Equation& equation : model_.equations) {
      if (MayHaveAny(equation) && AsLargeLoop(graph_, equation)) {
        LookInto(equation);
      }
    }
    if (found_.empty()) {
      return std::nullopt;
    }
    FlatModel result = model_;
    Substitution substitution(graph_);
    for (const auto& [extremum, equation] : found_) {
      substitution.Add(extremum, AddVariable(extremum, result));
    }
    for (Equation& equation : result.equations) {
      equation.left = substitution.Apply(equation.left);
      equation.right = substitution.Apply(equation.right);
    }
    for (const auto& [extremum, equation] : found_) {
      result.equations.push_back({.left = substitution.Apply(extremum),
                                  .right = extremum,
                                  .iterators = {},
                                  .span = equation->span,
                                  .path = equation->path});
    }
    return result;
  }

 private:
  static bool MayHaveAny(const Equation& equation) {
    return equation.left.Contains(Trait::kIterator) ||
           equation.right.Contains(Trait::kIterator);
  }

  // Looks only into operands that are computed whenever the equation is.
  void LookInto(const Equation& equation) {
    std::vector<Expr> pending = {equation.left, equation.right};
    while (!pending.empty()) {
      const Expr node = pending.back();
      pending.pop_back();
      if (!node.Contains(Trait::kIterator) || !met_.insert(node.id()).second) {
        continue;
      }
      if (node.op() == Op::kMinimum || node.op() == Op::kMaximum) {
        if (IsApart(node)) {
          found_.emplace_back(node, &equation);
        }
        continue;
      }
      const bool is_plain =
          node.op() == Op::kBuild ||
          (ElementwiseOperands(node.op()) > 0 && node.op() != Op::kSelect);
      for (std::size_t i = 0; is_plain && i < node.num_operands(); ++i) {
        pending.push_back(node.operand(i));
      }
    }
  }

  // True if it is large, varies, and depends on no iterator but its own.
  [[nodiscard]] bool IsApart(Expr extremum) const {
    std::unordered_set<std::uint32_t> bound;
    const std::vector<std::uint32_t> nodes = Reachable(std::array{extremum});
    for (const std::uint32_t id : nodes) {
      if (IsLoop(graph_.At(id).op())) {
        bound.insert(graph_.At(id).operand(0).id());
      }
    }
    const bool is_closed = std::ranges::all_of(nodes, [&](std::uint32_t id) {
      return graph_.At(id).op() != Op::kIterator || bound.contains(id);
    });
    const bool varies = std::ranges::any_of(nodes, [&](std::uint32_t id) {
      return graph_.At(id).op() == Op::kSymbol && !parameters_.contains(id);
    });
    return is_closed && varies && extremum.type() == ValueType::kReal &&
           graph_.IteratorRange(extremum.operand(0)).count >= kLeastLoop;
  }

  Expr AddVariable(Expr extremum, FlatModel& result) {
    Variable& variable = result.variables.emplace_back();
    variable.symbol = graph_.Symbol(
        {.name = ToText(extremum, 60), .type = ValueType::kReal, .shape = {}});
    variable.is_protected = true;
    variable.is_made_up = true;
    return variable.symbol;
  }

  const FlatModel& model_;
  ExprGraph& graph_;
  std::unordered_set<std::uint32_t> parameters_;  // By symbol.
  std::unordered_set<std::uint32_t> met_;
  std::vector<std::pair<Expr, const Equation*>> found_;
};

}  // namespace

std::optional<FlatModel> WithExtremaApart(const FlatModel& model) {
  return ExtremumFinder(model).Run();
}

}  // namespace orrery::compile::internal
