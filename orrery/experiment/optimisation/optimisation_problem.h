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

/// What a constraint asks of its value.
enum class ConstraintKind : std::uint8_t {
  kInequality,  ///< Not to be positive.
  kEquality     ///< To be 0.
};

/// What a constraint comes to at a point. Plain data.
struct ConstraintValue {
  double value = 0;
  /// How large what it compares is: what its value is small or large beside.
  double magnitude = 1;
  /// Likewise where a search began: what says whether it holds. Set by it.
  double scale = 1;

  friend bool operator==(const ConstraintValue&,
                         const ConstraintValue&) = default;
};

/// What a point comes to. Plain data.
struct PointResult {
  double objective = 0;  ///< The less, the better.
  /// Further objectives; see SeekFront.
  std::vector<double> others = {};
  std::vector<ConstraintValue> constraints;
  /// Why the point comes to nothing, in one line; empty if it does not.
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

  /// What `points` come to, which are values of all factors: a pure function of
  /// each.
  /// @param goes_on may be empty.
  /// @returns one a point; none at all if `goes_on` has said no.
  [[nodiscard]] virtual std::vector<PointResult> Evaluate(
      std::span<const std::vector<double>> points, const GoesOn& goes_on) = 0;

  /// How the objective and the values of the constraints move with the values
  /// at `point`, exactly: a row for each of these, of a derivative by each
  /// factor. None if it cannot tell; differences are taken then.
  [[nodiscard]] virtual std::vector<std::vector<double>> Differentiate(
      std::span<const double> /*point*/, const GoesOn& /*goes_on*/) {
    return {};
  }
};

/// Seeks min f(x) over a box, where g(x) <= 0 and h(x) = 0. Immutable; to be
/// used by any number of threads.
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

  /// Whether its evaluators tell exact derivatives, wherever there are any.
  [[nodiscard]] virtual bool is_differentiable() const noexcept {
    return false;
  }

  /// @param executor what it may evaluate points with; outlives it.
  [[nodiscard]] virtual std::unique_ptr<Evaluator> MakeEvaluator(
      Executor& executor) const = 0;
};

}  // namespace orrery
