#pragma once

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Finds equations that bind states although each has other unknowns, too. For
/// example, two capacitors between the same two nodes have u1 = va - vb and u2
/// = va - vb, which imply u1 = u2. The structure does not show this: the
/// equations seem to determine va and vb. A combination of equations, with
/// numbers as factors, that contains no unknowns but states replaces one of
/// them. So does a combination in which unknowns have cancelled that its
/// equations seem to determine. For example, where two sources, each with a
/// capacitor beside it, connect parts, the sum of the currents into these parts
/// is the sum of the currents through all the rest.
///
/// @returns true if a combination has replaced an equation.
[[nodiscard]] bool RevealConstraints(System& system);

}  // namespace orrery::compile::internal
