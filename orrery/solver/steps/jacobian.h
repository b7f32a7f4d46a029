#pragma once

#include <optional>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/steps/column_differences.h"
#include "orrery/solver/steps/evaluator.h"

namespace orrery::solver::internal {

/// Evaluates df/dx of a problem: by the problem itself if it can, else by
/// forward differences. Differences also replace values that are not finite,
/// such as the infinite slope of a root at zero, by secants.
class JacobianEvaluator {
 public:
  JacobianEvaluator(Evaluator& evaluator, const Tolerances& tolerances);

  /// Evaluates df/dx at (t, x).
  /// @param slope f(t, x), or empty: it is then evaluated if necessary.
  Evaluation Evaluate(double t,
                      std::span<const double> x,
                      std::span<const double> slope);

  /// Writes or reads the last evaluated values.
  void Transfer(StateStream& stream) { stream.Same(values_); }

  /// The last evaluated values, in the pattern's order; all n * n by columns
  /// without a pattern.
  [[nodiscard]] std::span<const double> values() const noexcept {
    return values_;
  }

  [[nodiscard]] const SparsityPattern* pattern() const noexcept {
    return pattern_;
  }

  /// Returns the greatest row sum of magnitudes, a bound of all eigenvalues.
  [[nodiscard]] double Norm();

  /// Writes df/dx times `vector` to `product`; both have n elements.
  void Multiply(std::span<const double> vector,
                std::span<double> product) const;

 private:
  template <typename Function>
  void ForElements(const Function& use) const;
  Evaluation EvaluateDifferences(double t,
                                 std::span<const double> x,
                                 std::span<const double> slope);

  Evaluator& evaluator_;
  const SparsityPattern* pattern_;
  Tolerances tolerances_;
  std::optional<ColumnDifferences> differences_;  // Made on the first use.
  std::vector<double> values_;
  std::vector<double> own_slope_;
  std::vector<double> row_sums_;
};

}  // namespace orrery::solver::internal
