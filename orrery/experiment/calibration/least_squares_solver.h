#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include "orrery/experiment/calibration/fit_model.h"
#include "orrery/experiment/calibration/robust_loss.h"

namespace orrery::experiment::internal {

/// The weights of the residuals: the cost is the sum of rho((weight *
/// residual)^2).
struct Weighting {
  Eigen::VectorXd weights;
  LossKind loss = LossKind::kSquare;
};

/// The end of a search.
struct LeastSquaresMinimum {
  FitEnd end = FitEnd::kFailed;
  Eigen::VectorXd x;
  Eigen::VectorXd residuals;  ///< Unweighted.
  double cost = 0;            ///< Without a factor of 1/2.
  std::int64_t iterations = 0;
};

/// The cost of residuals.
[[nodiscard]] double CostOf(const Weighting& weighting,
                            const Eigen::VectorXd& residuals);

/// Minimises the cost near `start` within the bounds by the method of Levenberg
/// and Marquardt; coordinates that are not `free` are fixed. It converges only
/// if the cost does not fall inwards from a bound.
[[nodiscard]] LeastSquaresMinimum MinimiseLeastSquares(
    FitModel& model,
    const Weighting& weighting,
    const Eigen::VectorXd& start,
    std::span<const Eigen::Index> free,
    std::int64_t max_iterations);

}  // namespace orrery::experiment::internal
