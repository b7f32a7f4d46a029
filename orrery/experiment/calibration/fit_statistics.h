#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "orrery/experiment/calibration/least_squares_solver.h"

namespace orrery::internal {

/// What the tangent plane at a minimum says of the coordinates of a fit.
struct TangentStatistics {
  /// p by p; NaN in the rows and columns of what is not determined.
  Eigen::MatrixXd covariance;
  /// Likewise, but of data without noise or freedom, too.
  Eigen::MatrixXd correlation;
  double relative_offset = 0;
  std::vector<FitFinding> findings;
  /// Parameters, or combinations of them, that have no effect on the residuals.
  /// They cost no degree of freedom.
  std::size_t num_without_effect = 0;
};

/// @returns NaN and no findings if there are no derivatives there.
[[nodiscard]] TangentStatistics TangentStatisticsAt(
    FitModel& model,
    const Weighting& weighting,
    const LeastSquaresMinimum& minimum);

}  // namespace orrery::internal
