#pragma once

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Removes the equations x = y, x = -y and x + y = 0 between scalars, states
/// included, by letting one name stand for both.
void EliminateAliases(System& system);

}  // namespace orrery::compile::internal
