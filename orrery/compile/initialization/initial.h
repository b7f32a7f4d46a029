#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// The equations of the start, sorted.
struct SortedStart {
  /// They determine the states and all else from the start values; empty if the
  /// states simply start at their start values.
  SortedSystem initial;
  /// The same on the way from the simplified formulas of homotopy(); empty
  /// unless these choose among several solutions.
  SortedSystem homotopy;
};

/// Sorts the equations that hold at the start only. Notes in `starts` which of
/// the start values hold.
[[nodiscard]] SortedStart SortInitialEquations(System& system,
                                               StartTable& starts,
                                               Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
