#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "orrery/experiment/calibration/least_squares_solver.h"

namespace orrery::experiment::internal {

/// The statistics of the coordinates of a fit by the tangent plane at a
/// minimum.
struct TangentStatistics {
  /// p by p; NaN in the rows and columns that are not determined.
  Eigen::MatrixXd covariance;
  /// Likewise, but also for data without noise or freedom.
  Eigen::MatrixXd correlation;
  double relative_offset = 0;
  std::vector<FitFinding> findings;
  /// Number of parameters, or combinations of them, that have no effect on the
  /// residuals. They cost no degree of freedom.
  std::size_t num_without_effect = 0;
};

/// @returns NaN and no findings if there are no derivatives there.
[[nodiscard]] TangentStatistics TangentStatisticsAt(
    FitModel& model,
    const Weighting& weighting,
    const LeastSquaresMinimum& minimum);

}  // namespace orrery::experiment::internal
