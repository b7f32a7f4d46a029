#pragma once

#include <cstdint>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Finds the variables without derivative that are preferred as states
/// (`stateSelect` prefer or always) and can be states in place of others. For
/// example, pressure and enthalpy of a volume in place of its mass and energy:
/// the equations from pressure to density and mass are differentiated, and
/// nothing has to be iterated for the pressure. None is found where these
/// equations may jump: mass and energy must not jump then, and so pressure and
/// enthalpy have to. Functions count as continuous, also in discrete arguments
/// that follow from the quantities that such equations share.
///
/// @param problem the system's equations and unknowns.
/// @returns positions in `FlatModel::variables`, ascending.
/// Source: Modelica Language Specification 3.6, section 4.9.7.1: a preferred
/// variable need not appear differentiated.
[[nodiscard]] std::vector<std::uint32_t> PreferredStates(
    System& system, const SortProblem& problem, const StartTable& starts);

/// True if a variable without derivative is preferred as a state.
[[nodiscard]] bool HasPreferred(const System& system, const StartTable& starts);

}  // namespace orrery::compile::internal
