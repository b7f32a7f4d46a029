#pragma once

#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/system/equation_loops.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Takes arrays, for-equations and connections apart into scalar equations, but
/// for `loops`, and finds the states: what der() is applied to.
/// @throws Retry if a loop cannot stay.
void BuildScalars(System& system,
                  const std::vector<EquationLoop>& loops,
                  Diagnostics& diagnostics);

/// Adds the equations that connections stand for: equal potentials, and flows
/// that sum to zero in each set of connected quantities; a flow that is in no
/// connection from outside its component is zero.
/// Source: Modelica Language Specification 3.6, section 9.2.
void AddConnections(System& system, Diagnostics& diagnostics);

/// Removes the equations x = y, x = -y and x + y = 0 between scalars, states
/// included, by letting one name stand for both.
void EliminateAliases(System& system);

/// Replaces the second of two equations y = semiLinear(x, s, b) and
/// y = semiLinear(x, a, s) by s = if x >= 0 then a else b, which determines s
/// where x = 0: a flow between two parts has the enthalpy of its source.
/// Source: Modelica Language Specification 3.6, section 3.7.4.1.
void JoinSemiLinear(System& system);

}  // namespace orrery::compile::internal
