#include "orrery/solver/algebra/minimum_norm_solver.h"

#include <Eigen/Dense>

#include "orrery/base/error.h"

namespace orrery {

struct MinimumNormSolver::Workspace {
  Eigen::MatrixXd matrix;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
};

MinimumNormSolver::MinimumNormSolver(std::size_t rows, std::size_t columns)
    : workspace_(std::make_unique<Workspace>()) {
  ORRERY_CHECK(rows > 0 && columns > 0);
  workspace_->matrix.setZero(static_cast<Eigen::Index>(rows),
                             static_cast<Eigen::Index>(columns));
}

MinimumNormSolver::~MinimumNormSolver() = default;

std::span<double> MinimumNormSolver::matrix() noexcept {
  Eigen::MatrixXd& matrix = workspace_->matrix;
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

std::span<const double> MinimumNormSolver::matrix() const noexcept {
  const Eigen::MatrixXd& matrix = workspace_->matrix;
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

void MinimumNormSolver::Factor() {
  workspace_->factors.compute(workspace_->matrix);
}

void MinimumNormSolver::Solve(std::span<const double> b,
                              std::span<double> x) const {
  ORRERY_CHECK(
      static_cast<Eigen::Index>(b.size()) == workspace_->matrix.rows() &&
      static_cast<Eigen::Index>(x.size()) == workspace_->matrix.cols());
  const Eigen::Map<const Eigen::VectorXd> right(
      b.data(), static_cast<Eigen::Index>(b.size()));
  Eigen::Map<Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())) =
      workspace_->factors.solve(right);
}

}  // namespace orrery
