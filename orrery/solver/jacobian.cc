#include "orrery/solver/internal/jacobian.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace orrery::internal {

std::vector<int> ColourColumns(const SparsityPattern& pattern) {
  const auto columns = static_cast<std::size_t>(pattern.columns);
  std::vector<std::vector<int>> columns_of_row(
      static_cast<std::size_t>(pattern.rows));
  const auto rows_of = [&](std::size_t column) {
    const auto begin = static_cast<std::size_t>(pattern.column_starts[column]);
    const auto end =
        static_cast<std::size_t>(pattern.column_starts[column + 1]);
    return std::span(pattern.row_indices).subspan(begin, end - begin);
  };
  std::vector<int> colours(columns, -1);
  std::vector<std::size_t> taken_by(columns + 1, columns);
  for (std::size_t column = 0; column < columns; ++column) {
    for (const int row : rows_of(column)) {
      for (const int other : columns_of_row[static_cast<std::size_t>(row)]) {
        taken_by[static_cast<std::size_t>(
            colours[static_cast<std::size_t>(other)])] = column;
      }
    }
    std::size_t colour = 0;
    while (taken_by[colour] == column) {
      ++colour;
    }
    colours[column] = static_cast<int>(colour);
    for (const int row : rows_of(column)) {
      columns_of_row[static_cast<std::size_t>(row)].push_back(
          static_cast<int>(column));
    }
  }
  return colours;
}

JacobianEvaluator::JacobianEvaluator(Evaluator& evaluator,
                                     const Tolerances& tolerances)
    : evaluator_(evaluator), pattern_(evaluator.problem().jacobian_pattern()) {
  const auto n = static_cast<std::size_t>(evaluator.problem().dimension());
  ORRERY_CHECK(pattern_ == nullptr ||
               (pattern_->column_starts.size() == n + 1 &&
                pattern_->column_starts.back() == pattern_->nonzeros()));
  values_.resize(pattern_ != nullptr
                     ? static_cast<std::size_t>(pattern_->nonzeros())
                     : n * n);
  if (evaluator.problem().has_jacobian()) {
    return;
  }
  for (const double absolute : tolerances.absolute()) {
    floors_.push_back(absolute / tolerances.relative());
  }
  colour_count_ = static_cast<int>(n);
  if (pattern_ != nullptr) {
    colours_ = ColourColumns(*pattern_);
    colour_count_ = *std::ranges::max_element(colours_) + 1;
  }
  point_.resize(n);
  slope_.resize(n);
}

Evaluation JacobianEvaluator::Evaluate(double t,
                                       std::span<const double> x,
                                       std::span<const double> slope) {
  ++evaluator_.statistics().jacobian_evaluations;
  if (!evaluator_.problem().has_jacobian()) {
    return Difference(t, x, slope);
  }
  const Evaluation result = evaluator_.problem().Jacobian(t, x, values_);
  if (result != Evaluation::kOk) {
    evaluator_.set_failure({.outcome = StepOutcome::kEvaluationFailed});
    return result;
  }
  if (FirstNotFinite(values_) >= 0) {
    evaluator_.set_failure({.outcome = StepOutcome::kNotFinite});
    return Evaluation::kRetry;
  }
  return Evaluation::kOk;
}

// Towards where the solution goes, so as to stay in the domain of f.
double JacobianEvaluator::Increment(std::size_t column,
                                    std::span<const double> x,
                                    std::span<const double> slope) const {
  static const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  const double size = root * std::max(std::abs(x[column]), floors_[column]);
  return slope[column] < 0 ? -size : size;
}

Evaluation JacobianEvaluator::Difference(double t,
                                         std::span<const double> x,
                                         std::span<const double> slope) {
  for (int colour = 0; colour < colour_count_; ++colour) {
    const Evaluation result = DifferenceOfColour(t, x, slope, colour);
    if (result != Evaluation::kOk) {
      return result;
    }
  }
  return Evaluation::kOk;
}

Evaluation JacobianEvaluator::DifferenceOfColour(double t,
                                                 std::span<const double> x,
                                                 std::span<const double> slope,
                                                 int colour) {
  const auto has_colour = [&](std::size_t column) {
    return colours_.empty() ? static_cast<int>(column) == colour
                            : colours_[column] == colour;
  };
  Evaluation result = Evaluation::kRetry;
  for (int attempt = 0; attempt < 2 && result == Evaluation::kRetry;
       ++attempt) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double increment = has_colour(j) ? Increment(j, x, slope) : 0;
      point_[j] = attempt == 0 ? x[j] + increment : x[j] - increment;
    }
    result = evaluator_.Derivative(t, point_, slope_);
  }
  if (result != Evaluation::kOk) {
    return result;
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (!has_colour(j)) {
      continue;
    }
    const double increment = point_[j] - x[j];
    if (pattern_ == nullptr) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        values_[j * x.size() + i] = (slope_[i] - slope[i]) / increment;
      }
      continue;
    }
    const auto end = static_cast<std::size_t>(pattern_->column_starts[j + 1]);
    for (auto k = static_cast<std::size_t>(pattern_->column_starts[j]); k < end;
         ++k) {
      const auto i = static_cast<std::size_t>(pattern_->row_indices[k]);
      values_[k] = (slope_[i] - slope[i]) / increment;
    }
  }
  return Evaluation::kOk;
}

double JacobianEvaluator::Norm() {
  const auto n = static_cast<std::size_t>(evaluator_.problem().dimension());
  slope_.assign(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    if (pattern_ == nullptr) {
      for (std::size_t i = 0; i < n; ++i) {
        slope_[i] += std::abs(values_[j * n + i]);
      }
      continue;
    }
    const auto end = static_cast<std::size_t>(pattern_->column_starts[j + 1]);
    for (auto k = static_cast<std::size_t>(pattern_->column_starts[j]); k < end;
         ++k) {
      slope_[static_cast<std::size_t>(pattern_->row_indices[k])] +=
          std::abs(values_[k]);
    }
  }
  return *std::ranges::max_element(slope_);
}

}  // namespace orrery::internal
