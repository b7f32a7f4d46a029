#pragma once

#include <span>

#include "orrery/experiment/optimisation/search_course.h"

namespace orrery::internal {

/// Goes from a place to the nearest one where the constraints of a search hold
/// to rounding, and has the course settle there: searches stop where they hold
/// to a tolerance, which the least objective uses up. Newton's method for the
/// constraints that are violated, with the least step of those that satisfy
/// them linearly. Does nothing without constraints, and once nothing may be
/// evaluated any more.
/// @throws what the course throws.
void RestoreConstraints(SearchCourse& course, std::span<const double> from);

}  // namespace orrery::internal
