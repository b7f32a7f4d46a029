#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// The equations that hold at the start only, sorted: they determine the states
/// and all else from the start values; empty if the states simply start at
/// their start values. Notes in `starts` which of them hold.
[[nodiscard]] SortedSystem SortInitialEquations(System& system,
                                                StartTable& starts,
                                                Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
