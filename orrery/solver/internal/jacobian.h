#pragma once

#include <span>
#include <vector>

#include "orrery/solver/internal/evaluator.h"
#include "orrery/solver/ode.h"

namespace orrery::internal {

/// Columns of `pattern` that share no row get the same colour: their
/// differences are formed by one evaluation. Greedy, in order of columns.
/// Curtis, Powell & Reid, J. Inst. Maths Applics 13 (1974) 117-119.
/// @returns one colour per column, from 0 on without gaps.
[[nodiscard]] std::vector<int> ColourColumns(const SparsityPattern& pattern);

/// df/dx of a problem: its own if it has one, else by forward differences.
class JacobianEvaluator {
 public:
  JacobianEvaluator(Evaluator& evaluator, const Tolerances& tolerances);

  /// Evaluates df/dx at (t, x).
  /// @param slope f(t, x).
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

 private:
  Evaluation Difference(double t,
                        std::span<const double> x,
                        std::span<const double> slope);
  Evaluation DifferenceOfColour(double t,
                                std::span<const double> x,
                                std::span<const double> slope,
                                int colour);
  [[nodiscard]] double Increment(std::size_t column,
                                 std::span<const double> x,
                                 std::span<const double> slope) const;

  Evaluator& evaluator_;
  const SparsityPattern* pattern_;
  std::vector<double> floors_;  // Magnitudes below which increments stay fixed.
  std::vector<double> values_;
  std::vector<int> colours_;  // Empty without a pattern: one per column.
  int colour_count_ = 0;
  std::vector<double> point_;
  std::vector<double> slope_;
};

}  // namespace orrery::internal
