#pragma once

#include "orrery/compile/system/system.h"

namespace orrery::internal {

/// Finds equations that bind states though each has other unknowns, too: of
/// two capacitors between the same two nodes, u1 = va - vb and u2 = va - vb,
/// which say that u1 = u2. What the equations are for does not show that: they
/// seem to determine va and vb. A combination of equations, with numbers as
/// factors, in which nothing is left but states takes the place of one of them.
/// So does one from which others are gone that it seems to determine: the sum
/// of the currents into parts that hang together by two sources, each with a
/// capacitor beside it, is that of the currents through all else.
///
/// @returns whether there was one.
[[nodiscard]] bool RevealConstraints(System& system);

}  // namespace orrery::internal
