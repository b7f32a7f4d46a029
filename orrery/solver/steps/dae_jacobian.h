#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orrery/solver/problem/dae.h"
#include "orrery/solver/steps/column_differences.h"
#include "orrery/solver/steps/evaluator.h"

namespace orrery::internal {

/// A point of F(t, y, y') = 0 and the factor of dF/dy' in its matrix.
struct DaePoint {
  double t = 0;
  double cj = 0;  ///< Of dF/dy + cj dF/dy'.
  double h = 0;   ///< The step that is tried, a scale for increments.
  std::span<const double> y;
  std::span<const double> yp;
};

/// dF/dy + cj dF/dy' of a problem: its own if it has one, else by forward
/// differences, in as many evaluations of F as the pattern has groups of
/// columns. Increments as IDA forms them: Hindmarsh et al., ACM TOMS 31
/// (2005), 2.2.
class DaeJacobian {
 public:
  using Residual = std::function<Evaluation(double t,
                                            std::span<const double> y,
                                            std::span<const double> yp,
                                            std::span<double> residual)>;

  /// @param residual evaluates F, as the caller wants it counted.
  DaeJacobian(DaeProblem& problem,
              const Tolerances& tolerances,
              Residual residual);

  /// @param residual F at the point.
  Evaluation Evaluate(const DaePoint& point, std::span<const double> residual);

  /// What was evaluated last: in the pattern's order, without a pattern all n *
  /// n elements by columns.
  [[nodiscard]] std::span<const double> values() const noexcept {
    return values_;
  }

 private:
  DaeProblem& problem_;
  Residual residual_;
  std::vector<double> values_;
  std::optional<ColumnDifferences> differences_;  // If it has none of its own.
  std::vector<double> yp_;
};

}  // namespace orrery::internal
