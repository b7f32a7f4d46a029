#pragma once

#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Lets each start check that its values agree with equations that are left
/// out: both sides are the same number up to 1e-6 of their size. The size of a
/// sum is that of all its terms, and at least the nominal value that a quantity
/// in it is given.
///
/// @param definitions what determines quantities at the start. What is
///     subtracted there says how far their rounding goes.
void AddAgreements(System& system,
                   const std::vector<ScalarEquation>& left_out,
                   const std::vector<SortedEquation>& definitions);

}  // namespace orrery::compile::internal
