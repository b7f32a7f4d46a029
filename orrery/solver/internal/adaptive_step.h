#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "orrery/solver/integrator.h"
#include "orrery/solver/internal/evaluator.h"
#include "orrery/solver/internal/stability.h"
#include "orrery/solver/method.h"

namespace orrery::internal {

/// How a one-step method adapts its steps. Hairer, Norsett & Wanner, Solving
/// ODEs I, II.4; Hairer & Wanner, Solving ODEs II, IV.2 and IV.8.
struct StepControl {
  int order = 5;            ///< Of the local error estimate's exponent.
  double beta = 0;          ///< Of the PI controller; 0: plain.
  bool predictive = false;  ///< Gustafsson's controller for stiff methods.
  double safety = 0.9;
  double min_factor = 0.2;  ///< Bounds of the change of step.
  double max_factor = 10;
};

/// A step that would leave less than this part of itself ends at the limit.
inline constexpr double kStretch = 1.01;

/// Below this, rounding of t leaves nothing of a step; near t = 0, where there
/// is no such bound, it is out of all proportion to the way to go.
[[nodiscard]] inline double NegligibleStep(double t, double t_limit) noexcept {
  constexpr double kOutOfProportion = 1e-30;
  return std::max(4 * std::numeric_limits<double>::epsilon() * std::abs(t),
                  kOutOfProportion * std::abs(t_limit - t));
}

/// What came of an attempt at a step.
struct Attempt {
  Evaluation evaluation = Evaluation::kOk;
  double error = 0;  ///< Estimated, in units of the tolerance; <= 1 is good.
  int worst = -1;    ///< The state with the largest scaled error.
};

/// The index i < count of the largest magnitude of `value_at(i)`; -1 if none is
/// a number.
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

/// A one-step method with error control: proposes, tries, accepts or rejects
/// and shortens. A step is shortened too where the problem cannot be evaluated,
/// so that no failure is stepped over.
class AdaptiveStepIntegrator : public TimeIntegrator, public StabilityEstimate {
 protected:
  AdaptiveStepIntegrator(OdeProblem& problem,
                         const SolverOptions& options,
                         Method method,
                         const StepControl& control);

  /// Tries a step of `h` to `t_new` from t(), x() with slope(); the result goes
  /// to `x_new`.
  virtual Attempt Try(double h, double t_new, std::span<double> x_new) = 0;

  /// The step tried last is accepted; x() and t() are still its beginning.
  /// Must set `slope`, f(t_new, x_new), and return kOk; or say that it cannot
  /// be had, which turns the step down.
  virtual Evaluation Accept(double t_new,
                            std::span<const double> x_new,
                            std::span<double> slope) = 0;

  /// A restart: what was computed at the old point is void.
  virtual void Forget() {}

  /// f at the current point.
  [[nodiscard]] std::span<const double> slope() const noexcept {
    return slope_;
  }

  /// Point and slope where the last accepted step began.
  [[nodiscard]] std::span<const double> x_begin() const noexcept {
    return x_begin_;
  }

  [[nodiscard]] std::span<const double> slope_begin() const noexcept {
    return slope_begin_;
  }

  [[nodiscard]] Evaluator& evaluator() noexcept { return evaluator_; }

  /// The stages of a step of `h` to `t_new`, if the problem can compute them at
  /// once.
  [[nodiscard]] bool TakeStages(const ExplicitTableau& tableau,
                                double h,
                                double t_new,
                                const OdeProblem::StepBuffers& buffers);

  [[nodiscard]] const Tolerances& tolerances() const noexcept {
    return tolerances_;
  }

 private:
  void DoRestart() final;
  StepResult DoStep(double t_limit) final;
  StepResult Start(double t_limit);
  [[nodiscard]] double InitialStep(double t_limit);
  [[nodiscard]] double Grow(double h, double error);
  [[nodiscard]] double RejectedFactor(const Attempt& attempt) const;
  [[nodiscard]] StepResult Blame(StepResult failure) const;
  void Commit(double t_new);

  Evaluator evaluator_;
  Tolerances tolerances_;
  StepControl control_;
  double initial_step_;
  double min_step_;
  double max_step_;
  double h_ = 0;
  // The last accepted step, before a limit cut it: as long a one an explicit
  // method tries first after an event. A stiff method would step over the
  // transient without an error that shows; and where a restart takes the step
  // back, it was too long.
  double planned_h_ = 0;
  double planned_from_ = 0;
  double least_first_h_ = 0;
  double previous_error_ = 0;  // Of the last accepted step.
  double previous_root_ = 0;   // The root of it that steps go by...
  double least_root_;          // ...or this, if that is less.
  double previous_h_ = 0;      // 0: no step was accepted yet.
  bool slope_known_ = false;
  std::vector<double> slope_;
  std::vector<double> x_begin_;
  std::vector<double> slope_begin_;
  std::vector<double> x_new_;
  std::vector<double> slope_new_;
};

}  // namespace orrery::internal
