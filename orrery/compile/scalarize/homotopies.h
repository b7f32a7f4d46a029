#pragma once

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Leaves the actual formula in place of each homotopy(), and puts equations
/// with the simplified ones into `System::homotopies`.
/// Source: Modelica Language Specification 3.6, section 3.7.4.4.
void SetHomotopiesApart(System& system);

}  // namespace orrery::compile::internal
