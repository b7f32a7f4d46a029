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

}  // namespace orrery::compile::internal
