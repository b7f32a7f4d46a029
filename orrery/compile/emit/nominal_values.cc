#include "orrery/compile/emit/nominal_values.h"

#include <array>
#include <cmath>
#include <vector>

namespace orrery::compile::internal {

double NominalValues::Of(std::uint32_t scalar, std::uint32_t element) {
  constexpr double kNotSaid = 1;
  const std::uint32_t v = system_.scalars[scalar].variable;
  if (v == kNone) {
    return kNotSaid;
  }
  const Variable& variable = system_.model.variables[v];
  Expr nominal = variable.nominal;
  if (!nominal) {
    return kNotSaid;
  }
  if (!nominal.is_constant()) {
    nominal = WithParameters(nominal);
    nominal = elements_.At(
        nominal,
        nominal.is_scalar() ? std::vector<std::int64_t>()
                            : SubscriptsOf(variable.symbol.shape(), element));
  }
  return nominal.is_constant() && nominal.value() != 0
             ? std::abs(nominal.value())
             : kNotSaid;
}

// Replaces parameters by the formulas they are declared with, recursively.
// There is no cycle: that has been checked.
Expr NominalValues::WithParameters(Expr formula) {
  FindParameters();
  while (true) {
    Replacements replacements;
    for (const std::uint32_t id : Reachable(std::array{formula})) {
      const auto found = parameters_.find(id);
      if (found != parameters_.end()) {
        replacements.insert(*found);
      }
    }
    if (replacements.empty()) {
      return formula;
    }
    formula = Substitution(system_.graph, replacements).Apply(formula);
  }
}

void NominalValues::FindParameters() {
  if (are_found_) {
    return;
  }
  are_found_ = true;
  for (const Variable& variable : system_.model.variables) {
    const bool is_parameter = variable.variability == Variability::kParameter ||
                              variable.variability == Variability::kConstant;
    if (is_parameter && variable.binding) {
      parameters_.emplace(variable.symbol.id(), variable.binding);
    }
  }
}

}  // namespace orrery::compile::internal
