#pragma once

// New values for a run that goes on.

#include <cstddef>
#include <span>
#include <utility>

#include "orrery/sim/run/run_state.h"

namespace orrery::sim::internal {

/// As ProgramRun::Set.
bool SetValues(RunState& run, std::span<const Setting> settings);

/// As ProgramRun::Change.
bool RunChange(RunState& run,
               std::span<const std::pair<std::size_t, double>> states);

}  // namespace orrery::sim::internal
