#pragma once

#include <cstddef>
#include <vector>

#include "orrery/analysis/linear_system.h"
#include "orrery/program/program.h"

namespace orrery::internal {

/// Of states that constraints bind, one a constraint follows from the others:
/// leaves these out of a linear system, which moves as they do, without the
/// motions off the constraints that no run makes.
///
/// With G dx = 0 for the slopes G of the constraints, dx = T dz for the states
/// z that stay, and z' = A_z T z + B_z u, y = C T z + D u.
///
/// @param slopes of the constraints' residuals, by constraint and state.
/// @param system of all states of the program; afterwards of those that stay.
void LeaveOutDependentStates(const Program& program,
                             const Matrix& slopes,
                             LinearSystem& system);

}  // namespace orrery::internal
