#pragma once

#include <cstdint>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Parameters and constants in an order in which each follows from those before
/// it: positions in `FlatModel::variables`. Reports cycles.
[[nodiscard]] std::vector<std::uint32_t> SortParameters(
    System& system, Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
