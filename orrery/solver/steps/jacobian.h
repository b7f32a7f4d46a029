#pragma once

#include <optional>
#include <span>
#include <vector>

#include "orrery/solver/problem/ode.h"
#include "orrery/solver/steps/column_differences.h"
#include "orrery/solver/steps/evaluator.h"

namespace orrery::internal {

/// df/dx of a problem: its own if it has one, else by forward differences, as
/// where f is infinitely steep, which a root is at zero: secants do there.
class JacobianEvaluator {
 public:
  JacobianEvaluator(Evaluator& evaluator, const Tolerances& tolerances);

  /// Evaluates df/dx at (t, x).
  /// @param slope f(t, x), or nothing: it is evaluated then where it is needed.
  Evaluation Evaluate(double t,
                      std::span<const double> x,
                      std::span<const double> slope);

  /// What was evaluated last: in the pattern's order, without a pattern all n *
  /// n elements by columns.
  [[nodiscard]] std::span<const double> values() const noexcept {
    return values_;
  }

  [[nodiscard]] const SparsityPattern* pattern() const noexcept {
    return pattern_;
  }

  /// The greatest row sum of magnitudes: no eigenvalue is larger.
  [[nodiscard]] double Norm();

  /// Writes df/dx times `vector` to `product`, of n elements as it.
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
  std::optional<ColumnDifferences> differences_;  // From the first use on.
  std::vector<double> values_;
  std::vector<double> own_slope_;
  std::vector<double> row_sums_;
};

}  // namespace orrery::internal
