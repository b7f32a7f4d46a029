#pragma once

#include <cstdint>
#include <vector>

#include "orrery/experiment/optimisation/search_log.h"

namespace orrery::experiment::internal {

/// Searches by a method of NLopt until it ends or no evaluations are left.
/// @param method any but kAuto.
/// @param place in the unit cube: the start, which some global methods ignore;
///     then the end.
/// @param tolerance see OptimisationOptions; for local methods.
/// @param seed of random methods.
/// @throws what the course throws.
SearchEnd SearchByNlopt(OptimisationMethod method,
                        SearchLog& course,
                        std::vector<double>& place,
                        double tolerance,
                        std::uint64_t seed);

}  // namespace orrery::experiment::internal
