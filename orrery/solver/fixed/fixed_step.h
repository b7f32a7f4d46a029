#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "orrery/solver/problem/method_name.h"
#include "orrery/solver/steps/decimal_grid.h"
#include "orrery/solver/steps/evaluator.h"
#include "orrery/solver/steps/integrator.h"

namespace orrery::solver::internal {

/// A method whose steps end at the times of a `DecimalGrid`. A limit that
/// equals a grid point up to rounding is that grid point. One between two grid
/// points shortens the step, and the next one ends on the grid again.
///
/// Dense output is the cubic Hermite interpolant, of order 3 if the method has
/// this order.
class FixedStepIntegrator : public TimeIntegrator {
 public:
  [[nodiscard]] bool begins_at_first_order() const noexcept final {
    return begins_at_first_order_;
  }

  // --- For many steps at once, here or in lanes.

  /// Greatest number at once if each step needs its time.
  static constexpr std::int64_t kMostTimes = 256;

  /// Null: steps cannot be taken at once.
  [[nodiscard]] virtual const ExplicitTableau* tableau() const noexcept {
    return nullptr;
  }

  [[nodiscard]] double step() const noexcept { return step_; }

  [[nodiscard]] bool CanTakeSteps() {
    return tableau() != nullptr && evaluator_.problem().CanTakeSteps();
  }

  /// Returns the number of steps of full length that may be taken at once, at
  /// most `most`, up to the one that ends at or after `until`. 0: the next step
  /// is a shorter one, or there is none to take.
  [[nodiscard]] std::int64_t CountSteps(double until,
                                        double t_limit,
                                        std::int64_t most) const;

  /// Returns the begin of step k from here.
  [[nodiscard]] double BeginOf(std::int64_t k) const noexcept {
    return k == 0 ? t() : grid_.At(index_ + k);
  }

  /// Accepts `count` steps, which lead to `x`. The begin of the last one is in
  /// `RoomForBegin()`.
  void GoOver(std::int64_t count, double t_limit, std::span<const double> x);

  [[nodiscard]] std::span<double> RoomForBegin() {
    x_begin_.resize(x().size());
    return x_begin_;
  }

  [[nodiscard]] std::unique_ptr<StepLanes> MakeLanes(
      StepTaker& stepper) override;

 protected:
  FixedStepIntegrator(OdeProblem& problem,
                      const SolverOptions& options,
                      Method method);

  /// Writes the states after a step of `h` from (t(), x()) to `x_new`.
  virtual StepResult Take(double h, std::span<double> x_new) = 0;

  /// Forgets the history of a multistep method.
  virtual void Forget() {}

  /// Restores the history to its state before the last step.
  virtual void TakeHistoryBack() {}

  /// Transfers what the method has beside the steps.
  virtual void TransferHistory(StateStream& /*stream*/) {}

  /// Lets the next restart begin a new grid.
  void ForgetGrid() noexcept { started_ = false; }

  /// Evaluates f(t(), x()) unless it is known since the last step.
  Evaluation EvaluateSlope();

  [[nodiscard]] std::span<const double> slope() const noexcept {
    return slope_;
  }

  [[nodiscard]] Evaluator& evaluator() noexcept { return evaluator_; }

  /// Makes room for the stages of `tableau`, and one more.
  void MakeWork(const ExplicitTableau& tableau);

  [[nodiscard]] std::span<double> work() noexcept { return work_; }

 private:
  void DoRestart() final;
  bool DoTakeBack() final;
  bool DoTransfer(StateStream& stream) final;
  void FindOnGrid(double t);
  StepResult DoStep(double t_limit) final;
  bool DoSteps(double until, double t_limit, std::int64_t most) final;
  void GoOn(std::int64_t count, double t_limit);
  bool Leap(std::int64_t count, double t_limit, bool needs_times);
  const DenseOutput& DoDense(DenseOutput& dense) final;
  [[nodiscard]] double Rounding(double t) const noexcept;

  Evaluator evaluator_;
  bool begins_at_first_order_;
  double step_;
  DecimalGrid grid_;  // Begins at the first restart.
  bool started_ = false;
  std::int64_t index_ = 0;  // Last grid point that is not after t().
  bool on_grid_ = true;     // t() is that point.
  bool slope_known_ = false;
  // Allocated on the first use: steps at once need little of it.
  std::vector<double> slope_;
  std::vector<double> x_begin_;
  std::vector<double> slope_begin_;
  bool slope_begin_known_ = false;
  std::vector<double> times_;  // Begins of steps at once.
  std::vector<double> work_;
};

/// The explicit methods: Euler, midpoint, Heun, RK4, AB2, symplectic Euler.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeExplicitFixedStep(
    Method method, OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::solver::internal
