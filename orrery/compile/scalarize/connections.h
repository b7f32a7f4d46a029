#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Adds the equations that connections stand for: equal potentials, and flows
/// that sum to zero in each set of connected quantities; a flow that is in no
/// connection from outside its component is zero.
/// Source: Modelica Language Specification 3.6, section 9.2.
void AddConnections(System& system, Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
