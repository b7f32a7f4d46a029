#pragma once

#include <functional>

#include <Eigen/Core>

#include "orrery/experiment/calibration/least_squares_solver.h"
#include "orrery/experiment/statistics/sample_statistics.h"

namespace orrery::experiment::internal {

/// The minimum of a fit with one coordinate fixed.
struct HeldMinimum {
  Eigen::VectorXd x;
  /// -2 log(likelihood) above that of the estimate; infinite if there are no
  /// residuals.
  double deviance = 0;
};

/// Minimises over the other coordinates, starting from `start`, which is near
/// the minimum.
using MinimiseHeld = std::function<HeldMinimum(const Eigen::VectorXd& start)>;

/// Returns the interval of coordinate `k` at whose ends the deviance reaches
/// `deviance`; an end is infinite if it does not within `low` and `high`.
///
/// The root of the deviance, as a function of the coordinate, is nearly
/// straight: Bates & Watts, "Nonlinear Regression Analysis and Its
/// Applications" (1988), 6.1.
///
/// @param step a first guess of the half-width, not 0.
[[nodiscard]] ConfidenceInterval ProfileInterval(
    const MinimiseHeld& minimise,
    const Eigen::VectorXd& estimate,
    Eigen::Index k,
    double step,
    ConfidenceInterval bounds,
    double deviance);

}  // namespace orrery::experiment::internal
