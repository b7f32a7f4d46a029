#pragma once

#include <span>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"

namespace orrery::internal {

/// Of a run that a solver could not go on with: the states that are smaller
/// than their absolute tolerances, which may be why.
/// @param sizes of states, or of none.
/// @param tolerances absolute ones, by state.
[[nodiscard]] std::vector<Diagnostic> NoteSmallStates(
    const Program& program,
    std::span<const double> sizes,
    std::span<const double> tolerances);

}  // namespace orrery::internal
