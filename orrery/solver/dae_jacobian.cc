#include "orrery/solver/internal/dae_jacobian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "orrery/solver/internal/jacobian.h"

namespace orrery::internal {

DaeJacobian::DaeJacobian(DaeProblem& problem,
                         const Tolerances& tolerances,
                         Residual residual)
    : problem_(problem),
      pattern_(problem.jacobian_pattern()),
      residual_(std::move(residual)) {
  const auto n = static_cast<std::size_t>(problem.dimension());
  ORRERY_CHECK(pattern_ == nullptr ||
               (pattern_->column_starts.size() == n + 1 &&
                pattern_->column_starts.back() == pattern_->nonzeros()));
  values_.resize(pattern_ != nullptr
                     ? static_cast<std::size_t>(pattern_->nonzeros())
                     : n * n);
  if (problem.has_jacobian()) {
    return;
  }
  for (const double absolute : tolerances.absolute()) {
    floors_.push_back(absolute / tolerances.relative());
  }
  if (pattern_ != nullptr) {
    colours_ = ColourColumns(*pattern_);
  } else {
    colours_.resize(n);
    std::iota(colours_.begin(), colours_.end(), 0);
  }
  colour_count_ = *std::ranges::max_element(colours_) + 1;
  for (auto* scratch : {&increments_, &y_, &yp_, &moved_}) {
    scratch->resize(n);
  }
}

Evaluation DaeJacobian::Evaluate(const DaePoint& point,
                                 std::span<const double> residual) {
  if (problem_.has_jacobian()) {
    return problem_.Jacobian(point.t, point.cj, point.y, point.yp, values_);
  }
  for (int colour = 0; colour < colour_count_; ++colour) {
    const Evaluation result = DifferenceOfColour(point, residual, colour);
    if (result != Evaluation::kOk) {
      return result;
    }
  }
  return Evaluation::kOk;
}

// Towards where the solution goes, so as to stay in the domain of F.
double DaeJacobian::Increment(const DaePoint& point, std::size_t column) const {
  static const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  const double change = point.h * point.yp[column];
  const double size =
      root *
      std::max({std::abs(point.y[column]), std::abs(change), floors_[column]});
  return change < 0 ? -size : size;
}

Evaluation DaeJacobian::DifferenceOfColour(const DaePoint& point,
                                           std::span<const double> residual,
                                           int colour) {
  Evaluation result = Evaluation::kRetry;
  for (int attempt = 0; attempt < 2 && result == Evaluation::kRetry;
       ++attempt) {
    for (std::size_t j = 0; j < y_.size(); ++j) {
      const double increment = colours_[j] == colour ? Increment(point, j) : 0;
      y_[j] = attempt == 0 ? point.y[j] + increment : point.y[j] - increment;
      increments_[j] = y_[j] - point.y[j];
      yp_[j] = point.yp[j] + point.cj * increments_[j];
    }
    result = residual_(point.t, y_, yp_, moved_);
  }
  if (result != Evaluation::kOk) {
    return result;
  }
  for (std::size_t j = 0; j < y_.size(); ++j) {
    if (colours_[j] == colour) {
      Fill(residual, j);
    }
  }
  return Evaluation::kOk;
}

void DaeJacobian::Fill(std::span<const double> residual, std::size_t column) {
  const std::size_t n = y_.size();
  const double increment = increments_[column];
  if (pattern_ == nullptr) {
    for (std::size_t i = 0; i < n; ++i) {
      values_[column * n + i] = (moved_[i] - residual[i]) / increment;
    }
    return;
  }
  const auto end =
      static_cast<std::size_t>(pattern_->column_starts[column + 1]);
  for (auto k = static_cast<std::size_t>(pattern_->column_starts[column]);
       k < end;
       ++k) {
    const auto i = static_cast<std::size_t>(pattern_->row_indices[k]);
    values_[k] = (moved_[i] - residual[i]) / increment;
  }
}

}  // namespace orrery::internal
