#pragma once

#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"

namespace orrery::sim::internal {

/// After a solver has failed: notes which states are smaller than their
/// absolute tolerances, which may be the cause.
/// @param sizes of all states, or empty.
/// @param tolerances absolute ones, by state.
[[nodiscard]] std::vector<Diagnostic> NoteSmallStates(
    const Program& program,
    std::span<const double> sizes,
    std::span<const double> tolerances);

}  // namespace orrery::sim::internal
