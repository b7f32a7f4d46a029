#pragma once

// Rows between others, where interpolation would miss how a signal bends.

#include <span>

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Adds the rows that followed signals need between the last row of this piece
/// and the one at `t`, where the states are x.
bool RefineRows(RunState& run, double t, std::span<const double> x);

/// Records the row of time `t`, where the states are x: the refined one, if
/// `RefineRows` has computed it.
bool RecordRefinedRow(RunState& run, double t, std::span<const double> x);

}  // namespace orrery::sim::internal
