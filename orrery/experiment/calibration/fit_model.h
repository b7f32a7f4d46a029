#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "orrery/base/system/executor.h"
#include "orrery/experiment/calibration/least_squares_fit.h"
#include "orrery/experiment/design/search_space.h"

namespace orrery::experiment::internal {

/// The residuals of a fit over the coordinates of its search space, and their
/// derivatives, from wherever these come. For one thread at a time.
class FitModel {
 public:
  FitModel(const SearchSpace& space,
           const ResidualFunction& function,
           Executor& executor,
           const FitWatch& watch);

  [[nodiscard]] const SearchSpace& space() const noexcept { return space_; }

  [[nodiscard]] const ResidualFunction& function() const noexcept {
    return function_;
  }

  /// Computes the residuals at a point; those at the last point are remembered.
  /// @returns false if there are none; why() then tells the reason.
  bool Residuals(const Eigen::VectorXd& x, Eigen::VectorXd& r);

  /// Computes d(residual)/d(coordinate), with a column for each `free`
  /// coordinate.
  /// @returns as Residuals.
  bool Jacobian(const Eigen::VectorXd& x,
                std::span<const Eigen::Index> free,
                Eigen::MatrixXd& jacobian);

  /// The relative error of the derivatives.
  [[nodiscard]] double JacobianError() const;

  [[nodiscard]] const std::string& why() const noexcept { return why_; }

  [[nodiscard]] std::int64_t evaluations() const noexcept {
    return evaluations_;
  }

  /// The reference for changes of coordinate k: its magnitude, with a lower
  /// limit.
  [[nodiscard]] double SizeOf(double x, Eigen::Index k) const;

  [[nodiscard]] bool GoesOn() const;

  /// Reports to the watcher that a search has reached `cost`.
  void Tell(double cost) const;

 private:
  bool ExactJacobian(const Eigen::VectorXd& x,
                     std::span<const Eigen::Index> free,
                     Eigen::MatrixXd& jacobian);
  bool Differences(const Eigen::VectorXd& x,
                   std::span<const Eigen::Index> free,
                   Eigen::MatrixXd& jacobian);
  [[nodiscard]] double Step(double x, Eigen::Index k) const;
  std::string Evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& r) const;

  const SearchSpace& space_;
  const ResidualFunction& function_;
  Executor& executor_;
  const FitWatch& watch_;
  Eigen::VectorXd last_x_;
  Eigen::VectorXd last_r_;
  std::string why_;
  std::int64_t evaluations_ = 0;
};

}  // namespace orrery::experiment::internal
