#pragma once

#include <cstdint>
#include <functional>

#include <Eigen/Core>

namespace orrery::analysis::internal {

/// Residuals r(z), to be 0, of unknowns within bounds, lower <= z <= upper. The
/// unknowns are scaled: typical sizes are 1.
struct LeastSquaresProblem {
  /// Computes r; false where it has no finite value.
  std::function<bool(const Eigen::VectorXd& z, Eigen::VectorXd& r)> residual;
  /// Computes dr/dz at the z of the last `residual` that succeeded.
  std::function<bool(Eigen::MatrixXd& jacobian)> jacobian;
  Eigen::VectorXd lower;
  Eigen::VectorXd upper;
  /// False if the search is to stop; may be empty.
  std::function<bool()> goes_on;
};

enum class LeastSquaresOutcome : std::uint8_t {
  kSolved,         ///< r(z) = 0.
  kMinimum,        ///< |r| has a minimum that is not 0.
  kNoConvergence,  ///< Too many iterations, or it was to stop.
  kNotFinite       ///< r or its derivative has no finite value at the start.
};

struct LeastSquaresResult {
  LeastSquaresOutcome outcome = LeastSquaresOutcome::kNotFinite;
  Eigen::VectorXd z;
  Eigen::VectorXd r;         ///< Unweighted.
  Eigen::MatrixXd jacobian;  ///< At z.
  int iterations = 0;
};

/// True if r is 0 within the effect of a relative change of the unknowns by
/// `tolerance`; their typical sizes are 1.
[[nodiscard]] bool IsSmall(const Eigen::VectorXd& r,
                           const Eigen::MatrixXd& jacobian,
                           const Eigen::VectorXd& z,
                           double tolerance);

/// Minimises the sum of squares of r, each divided by the size of its gradient
/// at the start. Takes Gauss-Newton steps within the bounds, the shortest ones
/// if the Jacobian is singular, damped by Levenberg and Marquardt's method if
/// they do not lead downhill. Iterates to rounding. Of a family of solutions,
/// the one near the start is found.
///
/// Source: Nocedal and Wright, Numerical Optimization, 2nd ed., sections 10.3
/// and 16.7.
[[nodiscard]] LeastSquaresResult SolveLeastSquares(
    const LeastSquaresProblem& problem,
    const Eigen::VectorXd& start,
    int max_iterations);

}  // namespace orrery::analysis::internal
