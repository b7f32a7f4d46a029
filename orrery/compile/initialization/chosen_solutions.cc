#include "orrery/compile/initialization/chosen_solutions.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <variant>
#include <vector>

#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

// The quantities that depend on a symbol, as equations are gone through in
// order.
class Dependents {
 public:
  Dependents(System& system, Expr symbol)
      : system_(system), symbol_(symbol), depends_(system.scalars.size()) {}

  // Notes what the equation or loop determines.
  // @returns true if it depends on the symbol.
  bool Take(const ExplicitEquation& equation) {
    const bool depends = Depend({&equation.value, 1});
    depends_[equation.scalar] = depends;
    return depends;
  }

  bool Take(const AlgebraicLoop& loop) {
    std::vector<Expr> formulas = loop.residuals;
    for (const ExplicitEquation& equation : loop.inner) {
      formulas.push_back(equation.value);
    }
    const bool depends = Depend(formulas);
    for (const std::uint32_t scalar : loop.torn) {
      depends_[scalar] = depends;
    }
    for (const ExplicitEquation& equation : loop.inner) {
      depends_[equation.scalar] = depends;
    }
    return depends;
  }

 private:
  bool Depend(std::span<const Expr> formulas) {
    return std::ranges::binary_search(Reachable(formulas), symbol_.id()) ||
           std::ranges::any_of(
               system_.walk.Scalars(formulas),
               [this](std::uint32_t scalar) { return depends_[scalar]; });
  }

  System& system_;
  Expr symbol_;
  std::vector<bool> depends_;  // By scalar.
};

}  // namespace

bool ChoosesSolution(System& system, const SortedSystem& sorted, Expr symbol) {
  std::set<std::uint32_t> results;
  for (const IteratedScalar& iterated : sorted.iterated) {
    results.insert(iterated.result);
  }
  Dependents dependents(system, symbol);
  return std::ranges::any_of(sorted.equations, [&](const auto& item) {
    if (const auto* equation = std::get_if<ExplicitEquation>(&item)) {
      return dependents.Take(*equation) && results.contains(equation->scalar);
    }
    const auto& loop = std::get<AlgebraicLoop>(item);
    return dependents.Take(loop) && !loop.is_linear;
  });
}

}  // namespace orrery::compile::internal
