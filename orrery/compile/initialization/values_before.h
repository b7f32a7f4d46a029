#pragma once

#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Replaces in equations of the start what is known before it: initial() and
/// ticks of clocks, delayed values, and pre(x) of continuous variables.
void TakeValuesBefore(System& system, std::vector<ScalarEquation>& equations);

}  // namespace orrery::compile::internal
