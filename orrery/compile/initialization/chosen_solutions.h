#pragma once

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/system.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// True if loops of `sorted` that depend on `symbol` may have several
/// solutions: they are not linear, or they contain relations between unknowns.
[[nodiscard]] bool ChoosesSolution(System& system,
                                   const SortedSystem& sorted,
                                   Expr symbol);

}  // namespace orrery::compile::internal
