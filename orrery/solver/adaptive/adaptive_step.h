#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orrery/base/methods/embedded_method.h"
#include "orrery/solver/problem/method_name.h"
#include "orrery/solver/steps/evaluator.h"
#include "orrery/solver/steps/integrator.h"
#include "orrery/solver/steps/stability.h"

namespace orrery::solver::internal {

/// Factor of the step after a point that could not be evaluated.
inline constexpr double kRetryFactor = 0.2;

/// Greatest growth of a step if there are events and no error estimate.
inline constexpr double kMostGrowth = 10;

/// Returns the first step after a restart, `longest` if it is the first
/// restart. Events that follow each other ever faster must not be lost in
/// rounding.
[[nodiscard]] inline double StepAfterRestart(double since_restart,
                                             double longest) noexcept {
  constexpr double kLeast = 1e-6;  // Part of the longest step.
  return since_restart > 0
             ? std::clamp(
                   kMostGrowth * since_restart, kLeast * longest, longest)
             : longest;
}

/// Returns the length below which a step is of no use.
[[nodiscard]] inline double NegligibleStep(double t, double t_limit) noexcept {
  return std::max(kPartOfTime * std::abs(t),
                  kPartOfWay * std::abs(t_limit - t));
}

/// Returns a length below which a step may be of no use somewhere between `t`
/// and `t_limit`, or become so when it is rounded to a difference of times.
[[nodiscard]] inline double LeastStep(double min_step,
                                      double t,
                                      double t_limit) noexcept {
  const double rounding = std::numeric_limits<double>::epsilon() *
                          std::max(std::abs(t), std::abs(t_limit));
  return rounding + std::max({min_step,
                              NegligibleStep(t, t_limit),
                              NegligibleStep(t_limit, t)});
}

/// The result of an attempt at a step.
struct Attempt {
  Evaluation evaluation = Evaluation::kOk;
  /// Square of the estimated error in units of the tolerance; <= 1 is good.
  double square = 0;
  int worst = -1;  ///< The state with the largest scaled error.
};

/// Returns the index i < count of the largest magnitude of `value_at(i)`; -1 if
/// all are NaN.
template <typename Function>
[[nodiscard]] int LargestOf(std::size_t count, const Function& value_at) {
  int index = -1;
  double largest = -1;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = std::abs(value_at(i));
    if (size > largest) {
      largest = size;
      index = static_cast<int>(i);
    }
  }
  return index;
}

/// A one-step method with error control: proposes, tries, and accepts or
/// rejects and shortens. A step is also shortened if the problem cannot be
/// evaluated, so that it steps over no failure.
class AdaptiveStepIntegrator : public TimeIntegrator, public StabilityEstimate {
 public:
  // --- For steps that a problem takes at once, in this lane or others.

  /// The data with which a problem takes steps at once.
  struct AtOnce {
    const EmbeddedMethod* method = nullptr;  ///< Null: it cannot.
    std::span<double> stages;                ///< As in EmbeddedSteps.
    std::span<double> argument;
  };

  [[nodiscard]] const AtOnce& at_once() const noexcept { return at_once_; }

  using StepNumbers = std::array<double, EmbeddedSteps::kNumNumbers>;

  struct StepArrays {
    std::span<double> x;
    std::span<double> slope;
    std::span<double> x_begin;
    std::span<double> slope_begin;
    std::span<double> stages;
    std::span<double> argument;
  };

  /// Prepares the first step.
  /// @returns true if the problem may take steps at once.
  bool BeginSteps(double t_limit);

  /// Describes steps until one ends at or after `until`, or `most` >= 1 of
  /// them.
  [[nodiscard]] StepNumbers WriteSteps(double until,
                                       double t_limit,
                                       std::int64_t most) const noexcept;

  [[nodiscard]] StepArrays step_arrays() noexcept;

  /// Accepts the steps; their numbers and arrays now describe the end.
  /// @returns the number of steps.
  std::int64_t ReadSteps(const StepNumbers& numbers) noexcept;

  [[nodiscard]] const Tolerances& tolerances() const noexcept {
    return tolerances_;
  }

  /// f at the current point.
  [[nodiscard]] std::span<const double> slope() const noexcept {
    return slope_;
  }

  [[nodiscard]] std::unique_ptr<StepLanes> MakeLanes(
      StepTaker& stepper) override;

  [[nodiscard]] std::size_t vectors_at_once() const noexcept override {
    return 4;
  }

  /// Lets steps at once end after one longer than `part` of the longest stable
  /// step, which is then judged.
  void EndStepsBeyond(double part) noexcept { stability_limit_ = part; }

 protected:
  AdaptiveStepIntegrator(OdeProblem& problem,
                         const SolverOptions& options,
                         Method method,
                         const StepControl& control);

  /// Allows the problem to take steps at once with this data.
  void OfferSteps(const AtOnce& at_once) noexcept { at_once_ = at_once; }

  /// Tries a step of `h` to `t_new` from t(), x() with slope(); writes the
  /// result to `x_new`.
  virtual Attempt Try(double h, double t_new, std::span<double> x_new) = 0;

  /// Accepts the step tried last; x() and t() are still its beginning. Must set
  /// `slope`, f(t_new, x_new), and return kOk; another result rejects the step.
  virtual Evaluation Accept(double t_new,
                            std::span<const double> x_new,
                            std::span<double> slope) = 0;

  /// Called at a restart: discards all that was computed at the old point.
  virtual void Forget() {}

  /// Transfers what the method has beside the steps.
  virtual void TransferStages(StateStream& stream) = 0;

  /// Forgets the planned step, which a restart keeps.
  void ForgetPlan() noexcept { planned_h_ = 0; }

  /// Point and slope where the last accepted step began.
  [[nodiscard]] std::span<const double> x_begin() const noexcept {
    return x_begin_;
  }

  [[nodiscard]] std::span<const double> slope_begin() const noexcept {
    return slope_begin_;
  }

  [[nodiscard]] Evaluator& evaluator() noexcept { return evaluator_; }

 private:
  void DoRestart() final;
  bool DoTakeBack() final;
  bool DoTransfer(StateStream& stream) final;
  StepResult DoStep(double t_limit) final;
  bool DoSteps(double until, double t_limit, std::int64_t most) final;
  StepResult Start(double t_limit);
  [[nodiscard]] double InitialStep(double t_limit);
  [[nodiscard]] double StepAfter(double h, double planned, double square);
  [[nodiscard]] double StepInstead(double h, const Attempt& attempt) const;
  [[nodiscard]] StepResult Blame(StepResult failure) const;
  void PlanNext(double h,
                double planned,
                double next,
                bool was_rejected) noexcept;
  void Commit(double t_new);

  Evaluator evaluator_;
  Tolerances tolerances_;
  StepControl control_;
  AtOnce at_once_;
  double initial_step_;
  double min_step_;
  double max_step_;
  double h_ = 0;
  // The last accepted step, before a limit cut it. After an event an explicit
  // method first tries a step of this length. A stiff method would step over
  // the transient without a visible error. If a restart takes the step back, it
  // was too long.
  double planned_h_ = 0;
  double planned_from_ = 0;
  double least_first_h_ = 0;
  double previous_log_ = 0;   // log2 of the last accepted step's error.
  double previous_root_ = 0;  // The root of that error that sets the step size,
  double least_root_;         // or this if it is less.
  double previous_h_ = 0;     // 0: no step was accepted yet.
  double stability_limit_ = std::numeric_limits<double>::infinity();
  bool slope_known_ = false;
  std::vector<double> slope_;
  std::vector<double> x_begin_;
  std::vector<double> slope_begin_;
  std::vector<double> x_new_;
  std::vector<double> slope_new_;
};

}  // namespace orrery::solver::internal
