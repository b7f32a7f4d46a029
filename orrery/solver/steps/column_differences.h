#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/steps/evaluator.h"

namespace orrery::solver::internal {

/// Forms the Jacobian of a function R^n -> R^n by forward differences, with one
/// evaluation for each group of its pattern's columns (`ColorColumns`). Uses
/// backward differences if the function cannot be evaluated ahead.
class ColumnDifferences {
 public:
  /// @param pattern null: full.
  ColumnDifferences(int dimension,
                    const SparsityPattern* pattern,
                    const Tolerances& tolerances);

  /// Returns the magnitude of an unknown below which its increment is constant.
  [[nodiscard]] double floor(std::size_t column) const noexcept {
    return floors_[column];
  }

  /// Returns the increment for an unknown of magnitude `size`.
  [[nodiscard]] static double Increment(double size) {
    static const double root =
        std::sqrt(std::numeric_limits<double>::epsilon());
    return root * size;
  }

  /// @param value of the function at `x`.
  /// @param increment (column) -> its increment, with its sign.
  /// @param evaluate (x, result) -> Evaluation.
  /// @param values gets the elements: in the pattern's order; all n * n by
  ///     columns without a pattern.
  template <typename Increments, typename Function>
  Evaluation Evaluate(std::span<const double> x,
                      std::span<const double> value,
                      const Increments& increment,
                      const Function& evaluate,
                      std::span<double> values) {
    for (const std::vector<int>& group : groups_) {
      Evaluation result = Evaluation::kRetry;
      for (const double sign : {1.0, -1.0}) {
        point_.assign(x.begin(), x.end());
        for (const int column : group) {
          const auto j = static_cast<std::size_t>(column);
          point_[j] += sign * increment(j);
        }
        result = evaluate(std::span<const double>(point_), std::span(moved_));
        if (result != Evaluation::kRetry) {
          break;
        }
      }
      if (result != Evaluation::kOk) {
        return result;
      }
      for (const int column : group) {
        const auto j = static_cast<std::size_t>(column);
        Fill(j, point_[j] - x[j], value, values);
      }
    }
    return Evaluation::kOk;
  }

 private:
  void Fill(std::size_t column,
            double increment,
            std::span<const double> value,
            std::span<double> values) const;

  const SparsityPattern* pattern_;
  std::vector<std::vector<int>> groups_;
  std::vector<double> floors_;
  std::vector<double> point_;
  std::vector<double> moved_;
};

}  // namespace orrery::solver::internal
