#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Adds the elements of all unknown variables to `System::scalars`: one scalar
/// for each element, or one for a slice, in the order of their first elements.
/// @param slices_of by variable, if it has slices: their numbers.
void DeclareScalars(
    System& system,
    const std::map<std::uint32_t, std::vector<std::uint32_t>>& slices_of);

/// Returns the scalar der(x) of `scalar`; makes it if it does not exist.
std::uint32_t DeclareDerivative(System& system, std::uint32_t scalar);

}  // namespace orrery::compile::internal
