#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/system/system.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

/// The formulas that some of the equations, `x = formula`, give quantities for
/// good. The derivative of such a quantity is 0: who differentiates a product
/// with it must not solve for the other factor by that derivative. A quantity
/// for which another equation stands, too, is none: `x = formula` is a
/// constraint then.
/// @param numbers of equations of the system.
[[nodiscard]] Replacements FixedQuantities(
    System& system, std::span<const std::uint32_t> numbers);

/// Puts the formulas in place of the quantities in `equations`, but not where
/// they are given.
void InsertFixed(System& system,
                 const Replacements& fixed,
                 std::vector<ScalarEquation>& equations);

}  // namespace orrery::compile::internal
