#include "orrery/compile/index/fixed_quantities.h"

#include <unordered_map>
#include <utility>

namespace orrery::compile::internal {

namespace {

// The number of equations that have each quantity alone on a side.
std::unordered_map<std::uint32_t, int> CountDefinitions(const System& system) {
  std::unordered_map<std::uint32_t, int> counts;
  for (const ScalarEquation& equation : system.equations) {
    ++counts[equation.left.id()];
    ++counts[equation.right.id()];
  }
  return counts;
}

}  // namespace

Replacements FixedQuantities(System& system,
                             std::span<const std::uint32_t> numbers) {
  Replacements fixed;
  const auto definitions = CountDefinitions(system);
  for (const std::uint32_t number : numbers) {
    const ScalarEquation& equation = system.equations[number];
    for (const auto& [target, formula] :
         {std::pair(equation.left, equation.right),
          std::pair(equation.right, equation.left)}) {
      const std::uint32_t scalar = system.ScalarAt(target);
      if (scalar != kNone && system.IsUnknown(scalar) &&
          system.scalars[scalar].derivative == kNone &&
          definitions.at(target.id()) == 1 && !system.walk.Varies(formula)) {
        fixed.emplace(target.id(), formula);
        break;
      }
    }
  }
  return fixed;
}

void InsertFixed(System& system,
                 const Replacements& fixed,
                 std::vector<ScalarEquation>& equations) {
  const auto is_given = [&](Expr target, Expr formula) {
    const auto found = fixed.find(target.id());
    return found != fixed.end() && found->second == formula;
  };
  Substitution substitution(system.graph, fixed);
  for (ScalarEquation& equation : equations) {
    if (!is_given(equation.left, equation.right) &&
        !is_given(equation.right, equation.left)) {
      equation.left = substitution.Apply(equation.left);
      equation.right = substitution.Apply(equation.right);
    }
  }
}

}  // namespace orrery::compile::internal
