#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/solver/problem/step_taker.h"
#include "orrery/solver/steps/dense_output.h"
#include "orrery/solver/steps/state_sizes.h"
#include "orrery/solver/steps/step_lanes.h"

namespace orrery {

/// The outcome of a step. A numerical end of a run is a result, not an error.
enum class StepOutcome : std::uint8_t {
  kStepped,           ///< t and x have advanced.
  kStepTooSmall,      ///< The tolerance needs steps below rounding or min_step.
  kNotFinite,         ///< A derivative is not finite however short the step.
  kEvaluationFailed,  ///< The problem reported it, however short the step.
  kNoConvergence,     ///< An implicit step has no solution that Newton finds.
  kStepLimit,         ///< max_steps have been taken.
};

/// Returns "the step became too small" and so on, for a message.
[[nodiscard]] std::string_view Describe(StepOutcome outcome) noexcept;

/// The result of one step.
struct StepResult {
  StepOutcome outcome = StepOutcome::kStepped;
  /// The state to blame: the one with the largest scaled error, or with a
  /// derivative that is not finite; -1 if unknown.
  int index = -1;

  [[nodiscard]] bool stepped() const noexcept {
    return outcome == StepOutcome::kStepped;
  }
};

/// The work of an integrator since it was made.
struct IntegratorStatistics {
  std::int64_t steps = 0;  ///< Accepted ones.
  std::int64_t rejected_steps = 0;
  std::int64_t rhs_evaluations = 0;  ///< For difference Jacobians, too.
  std::int64_t jacobian_evaluations = 0;
  std::int64_t factorizations = 0;
  std::int64_t nonlinear_iterations = 0;
  double last_step = 0;     ///< Length of the last accepted step.
  std::string_view method;  ///< The present one, by its command-line name.
};

/// A change of method by "auto".
struct MethodSwitch {
  double t = 0;
  std::string_view from;  ///< Command-line names.
  std::string_view to;
  std::string reason;
};

/// Advances one initial value problem, step by step.
///
///     Restart(t, x)
///     while t < end: Step(end)      // at most to `end`, which is hit exactly
///
/// An integrator belongs to one run and one thread. The same problem, options
/// and calls give the same bits. In steady state the explicit methods allocate
/// nothing.
class TimeIntegrator {
 public:
  TimeIntegrator(const TimeIntegrator&) = delete;
  TimeIntegrator& operator=(const TimeIntegrator&) = delete;
  virtual ~TimeIntegrator() = default;

  /// Begins anew at (t, x), as at the start and after every discontinuity: uses
  /// no history of earlier steps, except that the explicit methods try a step
  /// as long as the last one. Fixed-step methods stay on the grid that their
  /// first restart began.
  ///
  /// @param x n finite elements.
  /// @throws Error kInvalidArgument if `t` or an element of `x` is not finite
  ///     or the size is wrong. Nothing has changed then.
  void Restart(double t, std::span<const double> x);

  /// Resets the integrator for another run of the problem, as if it were new.
  /// @returns false if that is not possible; only destruction is allowed then.
  [[nodiscard]] bool Renew();

  /// Takes one step from t(), never beyond `t_limit`. If it would end close to
  /// `t_limit`, it ends there: t() == t_limit, bit for bit.
  ///
  /// After a failure t() and x() are still those of the last accepted step.
  /// @throws Error kInvalidArgument unless `t_limit` > t(), or before Restart.
  StepResult Step(double t_limit);

  /// Takes steps, each as Step(t_limit) does, until one ends at or after
  /// `until`, but at most some thousands, fewer if there are many states, so
  /// that the call returns soon. Only the last step can be observed, which may
  /// make the others faster.
  StepResult StepUntil(double until, double t_limit);

  /// Takes the last accepted step back, so that another one to a nearer limit
  /// can replace it.
  /// @returns false if that is not possible: for a method with a history, or if
  ///     there is no step. Nothing has changed then.
  bool TakeBack();

  /// Writes its state, or reads that of an integrator of the same problem by
  /// the same method and options. It then takes the same steps, bit for bit.
  /// @returns false if the method has a history that is not part of the state:
  ///     then the integrator has to be restarted.
  /// @throws Error kInvalidModel for a state that does not fit.
  [[nodiscard]] bool Transfer(StateStream& stream);

  /// End of the last accepted step (or Restart).
  [[nodiscard]] double t() const noexcept { return t_; }

  /// The states at t().
  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }

  /// The last accepted step as polynomials; valid until the next call of Step
  /// or Restart. The first call after a step computes them, so that unused ones
  /// cost nothing. May evaluate the problem.
  /// @throws Error kInvalidArgument if no step was taken since Restart.
  const DenseOutput& dense() {
    return state_ == State::kDense ? *dense_at_ : MakeDense();
  }

  [[nodiscard]] const IntegratorStatistics& statistics() const noexcept {
    return statistics_;
  }

  /// The magnitudes of states so far.
  [[nodiscard]] const StateSizes& sizes() const noexcept { return sizes_; }

  /// True if the last accepted step has dense output. It has none after a
  /// restart, or after the begin of another step that was not taken.
  [[nodiscard]] bool has_step() const noexcept {
    return state_ == State::kStepped || state_ == State::kDense;
  }

  /// Begin of the last accepted step.
  [[nodiscard]] double t_begin() const noexcept { return t_begin_; }

  /// True if steps soon after a restart are of the first order: the times and
  /// order of events within one of them are not accurate.
  [[nodiscard]] virtual bool begins_at_first_order() const noexcept {
    return false;
  }

  // --- For users that take steps of several integrators, and for composites.

  /// Makes lanes for integrators like this one; null if there are none.
  [[nodiscard]] virtual std::unique_ptr<StepLanes> MakeLanes(
      StepTaker& /*stepper*/) {
    return nullptr;
  }

  /// Number of vectors that its steps in lanes keep busy, if states are few.
  [[nodiscard]] virtual std::size_t vectors_at_once() const noexcept {
    return 4;
  }

  /// The integrator that takes the next step, in one made of several
  /// integrators.
  [[nodiscard]] virtual TimeIntegrator& active() noexcept { return *this; }

  /// Adopts steps that `active()` has taken by itself.
  virtual void FollowActive(std::int64_t /*steps*/) {}

  /// Greatest number of steps in a call of `StepUntil`.
  [[nodiscard]] std::int64_t MostAtOnce() const noexcept;

  /// Limits this number to `most` >= 1, if each step takes long.
  void LimitAtOnce(std::int64_t most) noexcept {
    most_at_once_ = std::min(most_at_once_, most);
  }

  /// See `DoSteps`.
  bool TakeSteps(double until, double t_limit, std::int64_t most) {
    return DoSteps(until, t_limit, most);
  }

  /// The dense output made last.
  [[nodiscard]] const DenseOutput& dense_made() const noexcept {
    return *dense_at_;
  }

  /// The changes of method so far, in order of time.
  [[nodiscard]] virtual std::span<const MethodSwitch> switches() const {
    return {};
  }

 protected:
  /// @param max_steps as in `SolverOptions`.
  TimeIntegrator(int dimension,
                 std::int64_t max_steps,
                 std::string_view method);

  /// Forgets all history; t() and x() are already set. Evaluates nothing.
  virtual void DoRestart() = 0;

  /// Forgets everything that restarts keep.
  /// @returns true if it can.
  virtual bool DoRenew() { return false; }

  /// Restores the changes of the last accepted step; t() is restored later.
  /// @returns true if it can.
  virtual bool DoTakeBack() { return false; }

  /// As Transfer, of what the method keeps from step to step.
  virtual bool DoTransfer(StateStream& /*stream*/) { return false; }

  /// The dense output that `DoDense` has set.
  [[nodiscard]] virtual const DenseOutput& DenseSet(
      const DenseOutput& dense) const {
    return dense;
  }

  /// Takes one step to at most `t_limit` > t(); ends an accepted one by
  /// `Advance`.
  virtual StepResult DoStep(double t_limit) = 0;

  /// Takes up to `most` steps, each as DoStep(t_limit) does, until one ends at
  /// or after `until`, as long as this is faster than single steps; ends them
  /// by `AdvanceBy` or `LeapBy`.
  /// @returns true if nothing is left to do.
  virtual bool DoSteps(double /*until*/,
                       double /*t_limit*/,
                       std::int64_t /*most*/) {
    return false;
  }

  /// Sets `dense` for the step from t_begin() to t().
  /// @returns it, or the dense output of another integrator.
  virtual const DenseOutput& DoDense(DenseOutput& dense) = 0;

  /// Accepts a step to `t`; the caller has written its end to `states()`.
  void Advance(double t) noexcept;

  /// Accepts `steps` steps, the last from `begin` to `t`.
  void AdvanceBy(std::int64_t steps, double begin, double t) noexcept;

  /// Accepts `steps` steps to `t`, the last of length `h`, without data for
  /// dense output.
  void LeapBy(std::int64_t steps, double t, double h) noexcept;

  [[nodiscard]] std::vector<double>& states() noexcept { return x_; }

  [[nodiscard]] IntegratorStatistics& counts() noexcept { return statistics_; }

  /// Time between the last restart and the one before it; 0 for the first.
  [[nodiscard]] double since_restart() const noexcept { return since_restart_; }

  [[nodiscard]] int dimension() const noexcept {
    return static_cast<int>(x_.size());
  }

 private:
  enum class State : std::uint8_t { kNew, kRestarted, kStepped, kDense };

  const DenseOutput& MakeDense();

  State state_ = State::kNew;
  double t_ = 0;
  double t_begin_ = 0;
  double restarted_at_ = 0;
  double since_restart_ = 0;
  std::int64_t max_steps_;
  std::int64_t most_at_once_ = 0;
  std::vector<double> x_;
  IntegratorStatistics statistics_;
  StateSizes sizes_;
  DenseOutput dense_;
  const DenseOutput* dense_at_ = &dense_;
};

}  // namespace orrery
