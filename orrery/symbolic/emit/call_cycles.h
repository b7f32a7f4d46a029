#pragma once

#include <cstdint>
#include <vector>

#include "orrery/symbolic/emit/tape_context.h"

namespace orrery::symbolic::internal {

/// Sets the cycles of `root` and of all functions it may call.
void FindCycles(std::vector<FunctionFrame>& functions, std::uint32_t root);

}  // namespace orrery::symbolic::internal
