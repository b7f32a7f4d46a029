#include "orrery/compile/sorting/ungrounded_nodes.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "orrery/symbolic/derivatives/derivative.h"

namespace orrery::compile::internal {
namespace {

// Marks the scalars that stand for potentials, with their signs, once.
void MarkPotentials(System& system) {
  const bool is_new = system.potential_signs.empty();
  system.potential_signs.resize(system.scalars.size());
  if (is_new) {
    for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
      const Scalar& scalar = system.scalars[i];
      if (scalar.derivative_of == kNone && scalar.pre_of == kNone &&
          scalar.variable != kNone &&
          system.model.variables[scalar.variable].is_potential) {
        const Alias alias = system.aliases[i];
        system.potential_signs[alias.scalar] =
            static_cast<std::int8_t>(alias.sign);
      }
    }
  }
}

}  // namespace

std::vector<std::uint32_t> FindFloating(
    System& system,
    std::span<const ScalarEquation> equations,
    std::span<const std::uint32_t> unknowns) {
  MarkPotentials(system);
  std::vector<std::uint32_t> potentials;
  std::unordered_map<std::uint32_t, Expr> rises;
  for (const std::uint32_t unknown : unknowns) {
    if (system.potential_signs[unknown] != 0) {
      potentials.push_back(unknown);
      rises.emplace(system.scalars[unknown].key.id(),
                    system.graph.Constant(system.potential_signs[unknown]));
    }
  }
  if (potentials.empty()) {
    return {};
  }
  // Most often a potential from elsewhere, the ground's, ends the search early.
  const auto is_reference = [&](std::uint32_t scalar) {
    return system.potential_signs[scalar] != 0 &&
           !rises.contains(system.scalars[scalar].key.id());
  };
  for (const ScalarEquation& equation : equations) {
    const std::array sides = {equation.left, equation.right};
    if (std::ranges::any_of(system.walk.Scalars(sides), is_reference)) {
      return {};
    }
  }
  Tangent tangent(system.graph, rises);
  for (const ScalarEquation& equation : equations) {
    if (!tangent.Of(equation.left - equation.right).is_constant(0)) {
      return {};
    }
  }
  std::ranges::sort(potentials);
  return potentials;
}

}  // namespace orrery::compile::internal
