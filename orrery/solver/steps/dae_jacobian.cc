#include "orrery/solver/steps/dae_jacobian.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::solver::internal {

DaeJacobian::DaeJacobian(DaeProblem& problem,
                         const Tolerances& tolerances,
                         Residual residual)
    : problem_(problem), residual_(std::move(residual)) {
  const auto n = static_cast<std::size_t>(problem.dimension());
  const SparsityPattern* const pattern = problem.jacobian_pattern();
  ORRERY_CHECK(pattern == nullptr ||
               (pattern->column_starts.size() == n + 1 &&
                pattern->column_starts.back() == pattern->nonzeros()));
  values_.resize(pattern != nullptr
                     ? static_cast<std::size_t>(pattern->nonzeros())
                     : n * n);
  if (!problem.has_jacobian()) {
    differences_.emplace(problem.dimension(), pattern, tolerances);
    yp_.resize(n);
  }
}

Evaluation DaeJacobian::Evaluate(const DaePoint& point,
                                 std::span<const double> residual) {
  if (!differences_) {
    return problem_.Jacobian(point.t, point.cj, point.y, point.yp, values_);
  }
  // Increments in the direction of the solution, so as to stay in the domain of
  // F.
  const auto increment = [&](std::size_t j) {
    const double change = point.h * point.yp[j];
    const double size = ColumnDifferences::Increment(std::max(
        {std::abs(point.y[j]), std::abs(change), differences_->floor(j)}));
    return change < 0 ? -size : size;
  };
  const auto evaluate = [&](std::span<const double> y,
                            std::span<double> result) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      yp_[j] = point.yp[j] + point.cj * (y[j] - point.y[j]);
    }
    return residual_(point.t, y, yp_, result);
  };
  return differences_->Evaluate(
      point.y, residual, increment, evaluate, values_);
}

}  // namespace orrery::solver::internal
