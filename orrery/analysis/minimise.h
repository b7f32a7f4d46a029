#pragma once

#include "orrery/analysis/steady_problem.h"

namespace orrery::analysis::internal {

/// The end of a search for a minimum.
struct Minimum {
  Eigen::VectorXd z;
  bool has_converged = false;
  int evaluations = 0;
};

/// Minimises the objective under the conditions, from the point on.
/// @returns the scaled unknowns; where `has_converged` is false the best found.
[[nodiscard]] Minimum Minimise(SteadyProblem& problem,
                               const Eigen::VectorXd& start,
                               int max_evaluations);

}  // namespace orrery::analysis::internal
