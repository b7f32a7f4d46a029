#pragma once

#include <span>

#include "orrery/experiment/optimisation/search_log.h"

namespace orrery::experiment::internal {

/// Moves from a place to the nearest one where the constraints of a search hold
/// to rounding, and has the course settle there. A search itself stops where
/// constraints hold to a tolerance, and the optimum uses that tolerance up.
/// Applies Newton's method to the violated constraints, with the least step
/// that satisfies their linearisation. Does nothing without constraints, or
/// when no evaluations are left.
/// @throws whatever the course throws.
void RestoreConstraints(SearchLog& course, std::span<const double> from);

}  // namespace orrery::experiment::internal
