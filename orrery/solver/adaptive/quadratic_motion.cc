#include "orrery/solver/adaptive/quadratic_motion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "orrery/solver/adaptive/adaptive_step.h"

namespace orrery::solver::internal {
namespace {

// y = x + h slope.
void AddTo(std::span<const double> x,
           double h,
           std::span<const double> slope,
           std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = x[i] + h * slope[i];
  }
}

class QuadraticMotion final : public TimeIntegrator {
 public:
  QuadraticMotion(OdeProblem& problem, const SolverOptions& options)
      : TimeIntegrator(problem.dimension(),
                       options.max_steps,
                       NameOf(Method::kMidpoint).name),
        evaluator_(problem, counts()),
        initial_step_(options.initial_step),
        min_step_(options.min_step),
        max_step_(options.max_step),
        x_begin_(x().size()),
        slope_(x().size()),
        slope_middle_(x().size()),
        x_new_(x().size()) {}

 private:
  void DoRestart() override { planned_ = 0; }

  bool DoRenew() override { return true; }

  bool DoTakeBack() override {
    std::swap(x_begin_, states());
    return true;
  }

  bool DoTransfer(StateStream& stream) override {
    stream.Number(planned_);
    stream.Same(x_begin_);
    stream.Same(slope_);
    stream.Same(slope_middle_);
    return true;
  }

  StepResult DoStep(double t_limit) override {
    if (evaluator_.Derivative(t(), x(), slope_) != Evaluation::kOk) {
      return evaluator_.failure();
    }
    const double shortest = std::max(min_step_, NegligibleStep(t(), t_limit));
    for (double h = LengthOfStep(t_limit);;) {
      const bool is_last = t() + kStretch * h >= t_limit;
      const double t_new = is_last ? t_limit : t() + h;
      const Evaluation result = Try(t_new - t());
      if (result == Evaluation::kOk) {
        std::swap(x_begin_, states());
        std::swap(states(), x_new_);
        planned_ = h;
        Advance(t_new);
        return {};
      }
      ++counts().rejected_steps;
      h *= kRetryFactor;
      if (result == Evaluation::kFail || h < shortest) {
        return evaluator_.failure();
      }
    }
  }

  // Writes the states at the end of the step to `x_new_`.
  [[nodiscard]] Evaluation Try(double h) {
    AddTo(x(), h / 2, slope_, x_new_);
    const Evaluation result =
        evaluator_.Derivative(t() + h / 2, x_new_, slope_middle_);
    if (result != Evaluation::kOk) {
      return result;
    }
    AddTo(x(), h, slope_middle_, x_new_);
    if (const int bad = FirstNotFinite(x_new_); bad >= 0) {
      evaluator_.set_failure(
          {.outcome = StepOutcome::kNotFinite, .index = bad});
      return Evaluation::kRetry;
    }
    return Evaluation::kOk;
  }

  [[nodiscard]] double LengthOfStep(double t_limit) const {
    if (planned_ > 0) {
      return std::min(kMostGrowth * planned_, max_step_);
    }
    const double longest = std::min(max_step_, t_limit - t());
    return initial_step_ > 0 && since_restart() <= 0
               ? std::min(initial_step_, longest)
               : StepAfterRestart(since_restart(), longest);
  }

  const DenseOutput& DoDense(DenseOutput& dense) override {
    const double h = t() - t_begin();
    dense.Reset(dimension(), kQuadratic, t_begin(), h);
    const std::span<double> c0 = dense.coefficients(0);
    const std::span<double> c1 = dense.coefficients(1);
    const std::span<double> c2 = dense.coefficients(2);
    for (std::size_t i = 0; i < c0.size(); ++i) {
      c0[i] = x_begin_[i];
      c1[i] = h * slope_[i];
      c2[i] = h * (slope_middle_[i] - slope_[i]);
    }
    return dense;
  }

  Evaluator evaluator_;
  double initial_step_;
  double min_step_;
  double max_step_;
  double planned_ = 0;  // Length of the last step, before a limit cut it.
  std::vector<double> x_begin_;
  std::vector<double> slope_;         // At the begin of the last step.
  std::vector<double> slope_middle_;  // Half a step later.
  std::vector<double> x_new_;
};

}  // namespace

std::unique_ptr<TimeIntegrator> MakeQuadraticMotion(
    OdeProblem& problem, const SolverOptions& options) {
  return std::make_unique<QuadraticMotion>(problem, options);
}

}  // namespace orrery::solver::internal
