#include "orrery/solver/steps/jacobian.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orrery::solver::internal {

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

// Increments in the direction of the solution, so as to stay in the domain of
// f.
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

// Calls `use(row, column, value)` for all elements.
template <typename Function>
void JacobianEvaluator::ForElements(const Function& use) const {
  if (pattern_ == nullptr) {
    const auto n = static_cast<std::size_t>(evaluator_.problem().dimension());
    for (std::size_t k = 0; k < values_.size(); ++k) {
      use(k % n, k / n, values_[k]);
    }
    return;
  }
  for (std::size_t j = 0; j + 1 < pattern_->column_starts.size(); ++j) {
    const auto end = static_cast<std::size_t>(pattern_->column_starts[j + 1]);
    for (auto k = static_cast<std::size_t>(pattern_->column_starts[j]); k < end;
         ++k) {
      use(static_cast<std::size_t>(pattern_->row_indices[k]), j, values_[k]);
    }
  }
}

double JacobianEvaluator::Norm() {
  const auto n = static_cast<std::size_t>(evaluator_.problem().dimension());
  row_sums_.assign(n, 0.0);
  ForElements([this](std::size_t i, std::size_t /*j*/, double value) {
    row_sums_[i] += std::abs(value);
  });
  return *std::ranges::max_element(row_sums_);
}

void JacobianEvaluator::Multiply(std::span<const double> vector,
                                 std::span<double> product) const {
  std::ranges::fill(product, 0.0);
  ForElements([&](std::size_t i, std::size_t j, double value) {
    product[i] += value * vector[j];
  });
}

}  // namespace orrery::solver::internal
