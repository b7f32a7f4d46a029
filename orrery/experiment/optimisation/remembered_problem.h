#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "orrery/experiment/optimisation/optimisation_problem.h"

namespace orrery {

/// A problem some of whose points have been evaluated before: these are not
/// evaluated again, so that a search that was interrupted comes quickly to
/// where it was, and goes on from there as if it had not been. Immutable.
class RememberedProblem final : public OptimisationProblem {
 public:
  /// By the values of all factors. The magnitudes of constraints do not matter.
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
