#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/experiment/design/search_space.h"
#include "orrery/experiment/runs/subject.h"

namespace orrery {

/// The relation that a constraint requires of its value.
enum class ConstraintKind : std::uint8_t {
  kInequality,  ///< value <= 0
  kEquality     ///< value = 0
};

/// The value of a constraint at a point. Plain data.
struct ConstraintValue {
  double value = 0;
  /// The magnitude of the quantities that it compares: the reference for
  /// `value`.
  double magnitude = 1;
  /// The magnitude where the search began, which decides if the constraint
  /// holds. The search sets it.
  double scale = 1;

  friend bool operator==(const ConstraintValue&,
                         const ConstraintValue&) = default;
};

/// The result at a point. Plain data.
struct PointResult {
  double objective = 0;  ///< To be minimised.
  /// Further objectives; see SeekFront.
  std::vector<double> others = {};
  std::vector<ConstraintValue> constraints;
  /// Why the evaluation failed, in one line; empty if it did not.
  std::string failure;

  friend bool operator==(const PointResult&, const PointResult&) = default;
};

/// Evaluates points of an optimisation problem; for one thread at a time.
class Evaluator {
 public:
  Evaluator() = default;
  virtual ~Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Evaluates `points`, each with the values of all factors. A pure function
  /// of each point.
  /// @param goes_on may be empty.
  /// @returns one result a point; none at all if `goes_on` has returned false.
  [[nodiscard]] virtual std::vector<PointResult> Evaluate(
      std::span<const std::vector<double>> points, const GoesOn& goes_on) = 0;

  /// Returns the exact derivatives of the objective and the constraint values
  /// at `point`: a row for each of these, with a column for each factor.
  /// Returns no rows if they are not available; the search then takes
  /// differences.
  [[nodiscard]] virtual std::vector<std::vector<double>> Differentiate(
      std::span<const double> /*point*/, const GoesOn& /*goes_on*/) {
    return {};
  }
};

/// Minimises f(x) over a box, subject to g(x) <= 0 and h(x) = 0. Immutable; any
/// number of threads may use it.
class OptimisationProblem {
 public:
  OptimisationProblem() = default;
  virtual ~OptimisationProblem() = default;
  OptimisationProblem(const OptimisationProblem&) = delete;
  OptimisationProblem& operator=(const OptimisationProblem&) = delete;

  /// The box.
  [[nodiscard]] virtual const SearchSpace& space() const noexcept = 0;

  [[nodiscard]] virtual std::span<const ConstraintKind> constraints()
      const noexcept = 0;

  /// True if its evaluators give exact derivatives, wherever these exist.
  [[nodiscard]] virtual bool is_differentiable() const noexcept {
    return false;
  }

  /// @param executor for parallel evaluations; outlives the evaluator.
  [[nodiscard]] virtual std::unique_ptr<Evaluator> MakeEvaluator(
      Executor& executor) const = 0;
};

}  // namespace orrery
