#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orrery/solver/problem/dae.h"
#include "orrery/solver/steps/column_differences.h"
#include "orrery/solver/steps/evaluator.h"

namespace orrery::solver::internal {

/// A point of F(t, y, y') = 0 and the factor of dF/dy' in its matrix.
struct DaePoint {
  double t = 0;
  double cj = 0;  ///< The factor in dF/dy + cj dF/dy'.
  double h = 0;   ///< The tried step, a scale for increments.
  std::span<const double> y;
  std::span<const double> yp;
};

/// Evaluates dF/dy + cj dF/dy' of a problem: by the problem itself if it can,
/// else by forward differences, with one evaluation of F for each group of
/// columns of the pattern. Increments as in IDA: Hindmarsh et al., ACM TOMS 31
/// (2005), 2.2.
class DaeJacobian {
 public:
  using Residual = std::function<Evaluation(double t,
                                            std::span<const double> y,
                                            std::span<const double> yp,
                                            std::span<double> residual)>;

  /// @param residual evaluates F and counts the evaluation.
  DaeJacobian(DaeProblem& problem,
              const Tolerances& tolerances,
              Residual residual);

  /// @param residual F at the point.
  Evaluation Evaluate(const DaePoint& point, std::span<const double> residual);

  /// The last evaluated values, in the pattern's order; all n * n by columns
  /// without a pattern.
  [[nodiscard]] std::span<const double> values() const noexcept {
    return values_;
  }

 private:
  DaeProblem& problem_;
  Residual residual_;
  std::vector<double> values_;
  std::optional<ColumnDifferences> differences_;  // If the problem has none.
  std::vector<double> yp_;
};

}  // namespace orrery::solver::internal
