#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/simulation.h"

namespace orrery {

/// A run whose errors are far below 1e-8.
[[nodiscard]] inline RunResult RunTo(
    double stop, const std::shared_ptr<const Program>& program) {
  return Simulate(
      program, {.stop = stop, .tolerance = 1e-10, .absolute_tolerance = 1e-12});
}

/// The names of the variables that are integrated.
[[nodiscard]] inline std::vector<std::string> StatesOf(const Program& program) {
  std::vector<std::string> names;
  for (const ProgramVariable& variable : program.variables) {
    const std::uint32_t slot =
        program.references[variable.first_reference].slot;
    if (variable.kind == VariableKind::kState &&
        std::ranges::find(program.state_slots, slot) !=
            program.state_slots.end()) {
      names.push_back(variable.name);
    }
  }
  return names;
}

}  // namespace orrery
