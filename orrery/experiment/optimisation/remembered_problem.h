#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "orrery/experiment/optimisation/optimisation_problem.h"

namespace orrery {

/// A problem some of whose points have been evaluated before. These are not
/// evaluated again: an interrupted search quickly returns to where it was, and
/// goes on as if it had not been interrupted. Immutable.
class RememberedProblem final : public OptimisationProblem {
 public:
  /// Results by the values of all factors. The magnitudes of constraints are
  /// ignored.
  using Known = std::map<std::vector<double>, PointResult>;

  /// @param problem must outlive it.
  RememberedProblem(const OptimisationProblem& problem, Known known);

  [[nodiscard]] const SearchSpace& space() const noexcept override {
    return problem_.space();
  }

  [[nodiscard]] std::span<const ConstraintKind> constraints()
      const noexcept override {
    return problem_.constraints();
  }

  [[nodiscard]] bool is_differentiable() const noexcept override {
    return problem_.is_differentiable();
  }

  [[nodiscard]] std::unique_ptr<Evaluator> MakeEvaluator(
      Executor& executor) const override;

 private:
  class Recalling;

  const OptimisationProblem& problem_;
  Known known_;
};

}  // namespace orrery
