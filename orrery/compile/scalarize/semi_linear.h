#pragma once

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Replaces the second of two equations y = semiLinear(x, s, b) and
/// y = semiLinear(x, a, s) by s = if x >= 0 then a else b, which determines s
/// where x = 0: a flow between two parts has the enthalpy of its source.
/// Source: Modelica Language Specification 3.6, section 3.7.4.1.
void JoinSemiLinear(System& system);

}  // namespace orrery::compile::internal
