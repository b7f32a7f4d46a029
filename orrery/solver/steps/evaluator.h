#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "orrery/solver/problem/first_not_finite.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/problem/options.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::solver::internal {

/// Calls f, counts the calls, and takes what is not finite for kRetry.
/// Remembers what the last failure was, to report it.
class Evaluator {
 public:
  Evaluator(OdeProblem& problem, IntegratorStatistics& statistics)
      : problem_(problem), statistics_(statistics) {}

  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) {
    ++statistics_.rhs_evaluations;
    const Evaluation result = problem_.Derivative(t, x, dx);
    if (result != Evaluation::kOk) {
      failure_ = {.outcome = StepOutcome::kEvaluationFailed};
      return result;
    }
    const int bad = FirstNotFinite(dx);
    if (bad >= 0) {
      problem_.OnNotFinite(t, x);
      // If x itself is not finite, f does not show the culprit.
      failure_ = {.outcome = StepOutcome::kNotFinite,
                  .index = FirstNotFinite(x) < 0 ? bad : -1};
      return Evaluation::kRetry;
    }
    return Evaluation::kOk;
  }

  /// The last failure of an evaluation.
  [[nodiscard]] StepResult failure() const noexcept { return failure_; }

  void set_failure(StepResult failure) noexcept { failure_ = failure; }

  [[nodiscard]] OdeProblem& problem() noexcept { return problem_; }

  [[nodiscard]] IntegratorStatistics& statistics() noexcept {
    return statistics_;
  }

 private:
  OdeProblem& problem_;
  IntegratorStatistics& statistics_;
  StepResult failure_;
};

/// Scales of errors: an error of size 1 is rtol * |x_i| + atol_i.
class Tolerances {
 public:
  Tolerances(const SolverOptions& options, int dimension)
      : relative_(options.relative_tolerance),
        absolute_(
            AbsoluteTolerances(options, static_cast<std::size_t>(dimension))) {}

  [[nodiscard]] double Scale(std::size_t i, double size) const noexcept {
    return absolute_[i] + relative_ * size;
  }

  /// Returns the state that varies most for its tolerance.
  /// @param slope dx/dt at `x`, in any unit of time.
  [[nodiscard]] int Fastest(std::span<const double> x,
                            std::span<const double> slope) const noexcept {
    double most = -1;
    std::size_t fastest = 0;
    for (std::size_t i = 0; i < slope.size(); ++i) {
      const double speed = std::abs(slope[i]) / Scale(i, std::abs(x[i]));
      if (speed > most) {
        most = speed;
        fastest = i;
      }
    }
    return static_cast<int>(fastest);
  }

  [[nodiscard]] double relative() const noexcept { return relative_; }

  [[nodiscard]] std::span<const double> absolute() const noexcept {
    return absolute_;
  }

 private:
  double relative_;
  std::vector<double> absolute_;
};

}  // namespace orrery::solver::internal
