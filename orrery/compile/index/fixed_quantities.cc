#include "orrery/compile/index/fixed_quantities.h"

#include <utility>

namespace orrery::compile::internal {

Replacements FixedQuantities(System& system,
                             std::span<const std::uint32_t> numbers) {
  Replacements fixed;
  for (const std::uint32_t number : numbers) {
    const ScalarEquation& equation = system.equations[number];
    for (const auto& [target, formula] :
         {std::pair(equation.left, equation.right),
          std::pair(equation.right, equation.left)}) {
      const std::uint32_t scalar = system.ScalarAt(target);
      if (scalar != kNone && system.IsUnknown(scalar) &&
          system.scalars[scalar].derivative == kNone &&
          !system.walk.Varies(formula)) {
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
