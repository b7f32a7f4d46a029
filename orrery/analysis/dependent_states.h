#pragma once

#include <cstddef>
#include <vector>

#include "orrery/analysis/linear_system.h"
#include "orrery/program/program.h"

namespace orrery::analysis::internal {

/// Leaves states out of a linear system that constraints determine from the
/// others, one for each constraint. The system moves as before, without the
/// motions off the constraints, which no run makes.
///
/// With G dx = 0 for the slopes G of the constraints, dx = T dz for the states
/// z that stay, and z' = A_z T z + B_z u, y = C T z + D u.
///
/// @param slopes of the constraints' residuals, by constraint and state.
/// @param system of all states of the program; afterwards of those that stay.
void LeaveOutDependentStates(const Program& program,
                             const Matrix& slopes,
                             LinearSystem& system);

}  // namespace orrery::analysis::internal
