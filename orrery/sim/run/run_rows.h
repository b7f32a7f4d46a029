#pragma once

// The rows of a run.

#include <span>

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// Records the rows before t, and that at t unless the piece ends there or
/// only others have to see it.
bool EmitRows(RunState& run, double end);

/// Computes and records the row of time `t`, where the states are `x`.
bool Record(RunState& run,
            double t,
            std::span<const double> x,
            ProgramEvaluator::LoopStart start);

/// Ends the run if its rows take too much memory: the number of rows at events
/// is not known in advance.
bool HasRoom(RunState& run);

/// Records a row at the time reached.
bool RecordHere(RunState& run, ProgramEvaluator::LoopStart start);

/// Records a row at the time reached, if there is none yet.
bool RecordNow(RunState& run);

/// Records the last point reached, after the run has ended.
void RecordLast(RunState& run);

}  // namespace orrery::sim::internal
