#pragma once

#include <cstdint>
#include <span>

#include "orrery/experiment/internal/search_course.h"

namespace orrery::internal {

/// Searches by a method of NLopt until that ends or nothing may be evaluated
/// any more.
/// @param method any but kAuto.
/// @param start in the unit cube; global methods do not all regard it.
/// @param tolerance see OptimisationOptions; of local methods.
/// @param seed of random methods.
/// @throws what the course throws.
SearchEnd SearchByNlopt(OptimisationMethod method,
                        SearchCourse& course,
                        std::span<const double> start,
                        double tolerance,
                        std::uint64_t seed);

}  // namespace orrery::internal
