#pragma once

#include <functional>

#include <Eigen/Core>

#include "orrery/experiment/calibration/least_squares_solver.h"
#include "orrery/experiment/statistics/sample_statistics.h"

namespace orrery::internal {

/// The least of a fit with one coordinate held.
struct HeldMinimum {
  Eigen::VectorXd x;
  /// -2 log(likelihood) above that of the estimate; infinite if there are no
  /// residuals.
  double deviance = 0;
};

/// The least with the coordinates that are held as in `start`, which is near
/// it.
using MinimiseHeld = std::function<HeldMinimum(const Eigen::VectorXd& start)>;

/// Between the values of coordinate `k` where the deviance reaches `deviance`;
/// infinite where it does not between `low` and `high`.
///
/// The root of the deviance, as a function of the coordinate, is nearly
/// straight: Bates & Watts, "Nonlinear Regression Analysis and Its
/// Applications" (1988), 6.1.
///
/// @param step a first guess of the half width, not 0.
[[nodiscard]] ConfidenceInterval ProfileInterval(
    const MinimiseHeld& minimise,
    const Eigen::VectorXd& estimate,
    Eigen::Index k,
    double step,
    ConfidenceInterval bounds,
    double deviance);

}  // namespace orrery::internal
