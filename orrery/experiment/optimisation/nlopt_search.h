#pragma once

#include <cstdint>
#include <vector>

#include "orrery/experiment/optimisation/search_course.h"

namespace orrery::internal {

/// Searches by a method of NLopt until that ends or nothing may be evaluated
/// any more.
/// @param method any but kAuto.
/// @param place in the unit cube: where it begins, which global methods do not
///     all regard, and then where it has ended.
/// @param tolerance see OptimisationOptions; of local methods.
/// @param seed of random methods.
/// @throws what the course throws.
SearchEnd SearchByNlopt(OptimisationMethod method,
                        SearchCourse& course,
                        std::vector<double>& place,
                        double tolerance,
                        std::uint64_t seed);

}  // namespace orrery::internal
