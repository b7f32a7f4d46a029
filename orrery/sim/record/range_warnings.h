#pragma once

#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/record/record_layout.h"
#include "orrery/sim/types/options.h"

namespace orrery::sim::internal {

/// Warns of constants and parameters outside the range which the model allows,
/// and of variables that leave it by more than the tolerance in the rows of a
/// run. Gives a few warnings at most.
/// @param settings of the run. The start refuses what they set so.
/// @param layout of the rows.
/// @param memory of the run; it holds the bounds.
[[nodiscard]] std::vector<Diagnostic> WarnOfRanges(
    const Program& program,
    const Settings& settings,
    const RecordLayout& layout,
    std::span<const double> memory,
    const Trajectory& trajectory,
    const ResolvedOptions& options);

}  // namespace orrery::sim::internal
