#include "orrery/solver/internal/jacobian.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orrery::internal {

JacobianEvaluator::JacobianEvaluator(Evaluator& evaluator,
                                     const Tolerances& tolerances)
    : evaluator_(evaluator),
      pattern_(evaluator.problem().jacobian_pattern()),
      tolerances_(tolerances) {
  const auto n = static_cast<std::size_t>(evaluator.problem().dimension());
  ORRERY_CHECK(pattern_ == nullptr ||
               (pattern_->column_starts.size() == n + 1 &&
                pattern_->column_starts.back() == pattern_->nonzeros()));
  values_.resize(pattern_ != nullptr
                     ? static_cast<std::size_t>(pattern_->nonzeros())
                     : n * n);
}

Evaluation JacobianEvaluator::Evaluate(double t,
                                       std::span<const double> x,
                                       std::span<const double> slope) {
  ++evaluator_.statistics().jacobian_evaluations;
  if (evaluator_.problem().has_jacobian()) {
    const Evaluation result = evaluator_.problem().Jacobian(t, x, values_);
    if (result != Evaluation::kOk) {
      evaluator_.set_failure({.outcome = StepOutcome::kEvaluationFailed});
      return result;
    }
    if (FirstNotFinite(values_) < 0) {
      return Evaluation::kOk;
    }
  }
  if (!slope.empty()) {
    return EvaluateDifferences(t, x, slope);
  }
  own_slope_.resize(x.size());
  const Evaluation result = evaluator_.Derivative(t, x, own_slope_);
  return result == Evaluation::kOk ? EvaluateDifferences(t, x, own_slope_)
                                   : result;
}

// Towards where the solution goes, so as to stay in the domain of f.
Evaluation JacobianEvaluator::EvaluateDifferences(
    double t, std::span<const double> x, std::span<const double> slope) {
  if (!differences_) {
    differences_.emplace(
        evaluator_.problem().dimension(), pattern_, tolerances_);
  }
  const auto increment = [&](std::size_t j) {
    const double size = ColumnDifferences::Increment(
        std::max(std::abs(x[j]), differences_->floor(j)));
    return slope[j] < 0 ? -size : size;
  };
  const auto derivative = [&](std::span<const double> point,
                              std::span<double> result) {
    return evaluator_.Derivative(t, point, result);
  };
  return differences_->Evaluate(x, slope, increment, derivative, values_);
}

double JacobianEvaluator::Norm() {
  const auto n = static_cast<std::size_t>(evaluator_.problem().dimension());
  row_sums_.assign(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    if (pattern_ == nullptr) {
      for (std::size_t i = 0; i < n; ++i) {
        row_sums_[i] += std::abs(values_[j * n + i]);
      }
      continue;
    }
    const auto end = static_cast<std::size_t>(pattern_->column_starts[j + 1]);
    for (auto k = static_cast<std::size_t>(pattern_->column_starts[j]); k < end;
         ++k) {
      row_sums_[static_cast<std::size_t>(pattern_->row_indices[k])] +=
          std::abs(values_[k]);
    }
  }
  return *std::ranges::max_element(row_sums_);
}

}  // namespace orrery::internal
