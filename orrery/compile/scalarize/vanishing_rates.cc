#include "orrery/compile/scalarize/vanishing_rates.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/symbolic/known_values.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

// Limit of variables between a factor and the parameters that make it 0.
constexpr int kMaxLinks = 6;

class VanishingRates {
 public:
  explicit VanishingRates(const FlatModel& model)
      : model_(model), graph_(*model.graph) {}

  std::optional<FlatModel> Run() {
    for (const Equation& equation : model_.equations) {
      FindFactors(equation.left);
      FindFactors(equation.right);
    }
    if (factors_.empty()) {
      return std::nullopt;
    }
    FindDefinitions();
    Substitution zeros(graph_);
    bool has_zeros = false;
    for (const Expr factor : factors_) {
      if (ValueOf(factor, 0) == 0.0) {
        zeros.Add(factor, graph_.Constant(0));
        has_zeros = true;
      }
    }
    if (!has_zeros) {
      return std::nullopt;
    }
    FlatModel result = model_;
    for (Equation& equation : result.equations) {
      if (HasRate(equation)) {
        equation.left = zeros.Apply(equation.left);
        equation.right = zeros.Apply(equation.right);
      }
    }
    return result;
  }

 private:
  static bool HasRate(const Equation& equation) {
    return equation.left.Contains(Trait::kDer) ||
           equation.right.Contains(Trait::kDer);
  }

  // Finds the variables in factors of formulas with derivatives.
  void FindFactors(Expr side) {
    if (!side.Contains(Trait::kDer)) {
      return;
    }
    for (const std::uint32_t id : Reachable(std::array{side})) {
      const Expr node = graph_.At(id);
      if (node.op() != Op::kMultiply) {
        continue;
      }
      for (std::size_t i = 0; i < 2; ++i) {
        const Expr factor = node.operand(i);
        if (node.operand(1 - i).Contains(Trait::kDer) &&
            factor.op() == Op::kSymbol && factor.is_scalar() &&
            met_.insert(factor.id()).second) {
          factors_.push_back(factor);
        }
      }
    }
  }

  // Finds the formulas that equations `x = formula` give variables.
  void FindDefinitions() {
    std::unordered_set<std::uint32_t> unknowns;
    for (const Variable& variable : model_.variables) {
      if (variable.variability == Variability::kContinuous &&
          variable.causality != Causality::kInput &&
          variable.symbol.is_scalar()) {
        unknowns.insert(variable.symbol.id());
      }
    }
    for (const Equation& equation : model_.equations) {
      if (!equation.iterators.empty() || HasRate(equation)) {
        continue;
      }
      if (unknowns.contains(equation.left.id())) {
        definitions_.emplace(equation.left.id(), equation.right);
      } else if (unknowns.contains(equation.right.id())) {
        definitions_.emplace(equation.right.id(), equation.left);
      }
    }
  }

  // Returns the number that the variable always is; empty if none is known.
  std::optional<double> ValueOf(Expr variable, int depth) {
    const auto at = definitions_.find(variable.id());
    if (at == definitions_.end() || depth > kMaxLinks) {
      return {};
    }
    const auto [found, is_new] = values_.try_emplace(variable.id());
    if (!is_new) {
      return found->second;
    }
    KnownValues::Values known;
    for (const std::uint32_t id : Reachable(std::array{at->second})) {
      const Expr node = graph_.At(id);
      if (node.op() != Op::kSymbol || !node.is_scalar()) {
        continue;
      }
      if (const auto value = ValueOf(node, depth + 1)) {
        known.emplace(id, *value);
      }
    }
    const std::optional<double> value = formulas_.Of(at->second, known);
    values_[variable.id()] = value;
    return value;
  }

  const FlatModel& model_;
  ExprGraph& graph_;
  KnownValues formulas_;
  std::vector<Expr> factors_;
  std::unordered_set<std::uint32_t> met_;
  std::unordered_map<std::uint32_t, Expr> definitions_;  // By variable.
  std::unordered_map<std::uint32_t, std::optional<double>>
      values_;  // Likewise.
};

}  // namespace

std::optional<FlatModel> WithoutVanishingRates(const FlatModel& model) {
  return VanishingRates(model).Run();
}

}  // namespace orrery::compile::internal
