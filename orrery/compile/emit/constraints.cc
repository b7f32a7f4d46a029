#include "orrery/compile/emit/constraints.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/states.h"
#include "orrery/compile/emit/step_search.h"

namespace orrery::compile::internal {

bool IsResidual(const System& system, const Step& step) {
  return step.equation != nullptr &&
         std::ranges::binary_search(system.constraints,
                                    step.equation->scalar,
                                    {},
                                    &BoundStates::residual);
}

void EmitConstraints(System& system,
                     std::span<const Step> steps,
                     const Layout& layout,
                     SectionWriter& sections,
                     Program& program) {
  if (system.constraints.empty()) {
    return;
  }
  ConstraintProgram& constraints = program.constraints;
  std::vector<std::uint32_t> residuals;
  for (const BoundStates& bound : system.constraints) {
    const Origin& origin = system.origins[bound.equation.origin];
    residuals.push_back(bound.residual);
    constraints.constraints.push_back(
        {.residual_slot = layout.PlaceOf(system, bound.residual).slot,
         .equation = {.target = bound.equation.left,
                      .value = bound.equation.right,
                      .span = *origin.span,
                      .path = origin.path},
         .level = bound.level});
  }
  const std::vector<bool> is_needed = FindNeeded(system, steps, residuals);
  std::vector<Step> needed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is_needed[i]) {
      needed.push_back(steps[i]);
    }
  }
  sections.AddSteps(needed, constraints.schedule);
}

std::vector<std::uint8_t> FindStateLevels(
    System& system,
    std::span<const Step> steps,
    std::span<const StateElement> states) {
  std::map<std::uint8_t, std::vector<std::uint32_t>> residuals;  // By level.
  for (const BoundStates& bound : system.constraints) {
    residuals[bound.level].push_back(bound.residual);
  }
  std::vector<std::uint8_t> levels(system.scalars.size());
  for (const auto& [level, of_level] : residuals) {
    const std::vector<bool> is_needed = FindNeeded(system, steps, of_level);
    std::vector<Expr> formulas;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (is_needed[i]) {
        std::ranges::copy(FormulasOf(steps[i]), std::back_inserter(formulas));
      }
    }
    for (const std::uint32_t scalar : system.walk.Scalars(formulas)) {
      levels[scalar] = level;
    }
  }
  std::vector<std::uint8_t> of_states;
  of_states.reserve(states.size());
  for (const StateElement& state : states) {
    of_states.push_back(levels[state.scalar]);
  }
  return of_states;
}

std::vector<std::uint8_t> FindFixedStarts(
    const StartTable& starts, std::span<const StateElement> states) {
  std::vector<std::uint8_t> are_fixed;
  are_fixed.reserve(states.size());
  for (const StateElement& state : states) {
    const ScalarStart& start = starts[state.scalar];
    are_fixed.push_back(start.is_fixed || !start.holds ? 1 : 0);
  }
  return are_fixed;
}

}  // namespace orrery::compile::internal
