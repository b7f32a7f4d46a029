#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "orrery/experiment/internal/least_squares_solver.h"

namespace orrery::internal {

/// What the tangent plane at a minimum says of the coordinates of a fit.
struct TangentStatistics {
  /// p by p; NaN in the rows and columns of what is not determined.
  Eigen::MatrixXd covariance;
  /// Likewise, but of data without noise or freedom, too.
  Eigen::MatrixXd correlation;
  double relative_offset = 0;
  std::vector<FitFinding> findings;
};

/// @returns NaN and no findings if there are no derivatives there.
[[nodiscard]] TangentStatistics TangentStatisticsAt(
    FitModel& model,
    const Weighting& weighting,
    const LeastSquaresMinimum& minimum);

}  // namespace orrery::internal
