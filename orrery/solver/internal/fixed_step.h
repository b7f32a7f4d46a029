#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "orrery/solver/decimal_grid.h"
#include "orrery/solver/integrator.h"
#include "orrery/solver/internal/evaluator.h"
#include "orrery/solver/method.h"

namespace orrery::internal {

/// A method whose steps end on the times of a `DecimalGrid`. A limit that lies
/// on the grid within rounding is that grid point; one between two grid points
/// shortens the step, and the next one ends on the grid again.
///
/// Dense output is the cubic Hermite interpolant, of order 3 where the method
/// has it.
class FixedStepIntegrator : public TimeIntegrator {
 protected:
  FixedStepIntegrator(OdeProblem& problem,
                      const SolverOptions& options,
                      Method method);

  /// Writes the states after a step of `h` from (t(), x()) to `x_new`.
  virtual StepResult Take(double h, std::span<double> x_new) = 0;

  /// Takes steps of length h that begin at these times from x, which is then
  /// where they lead, if the problem has a way to take them at once.
  /// @returns whether it had.
  virtual bool TakeAtOnce(std::span<const double> /*times*/,
                          double /*h*/,
                          std::span<double> /*x*/) {
    return false;
  }

  /// How often a step evaluates f, if they can be taken at once; else 0.
  [[nodiscard]] virtual std::size_t stages() const { return 0; }

  /// Forgets the history of a multistep method.
  virtual void Forget() {}

  /// f(t(), x()), evaluated if it has not been since the last step.
  Evaluation EvaluateSlope();

  [[nodiscard]] std::span<const double> slope() const noexcept {
    return slope_;
  }

  [[nodiscard]] Evaluator& evaluator() noexcept { return evaluator_; }

 private:
  void DoRestart() final;
  StepResult DoStep(double t_limit) final;
  void DoSteps(double until, std::int64_t most) final;
  void DoDense(DenseOutput& dense) final;
  [[nodiscard]] double Rounding(double t) const noexcept;

  Evaluator evaluator_;
  DecimalGrid grid_;
  bool started_ = false;
  std::int64_t index_ = 0;  // Of the last grid point that is not after t().
  bool on_grid_ = true;     // Whether t() is that point.
  bool slope_known_ = false;
  std::vector<double> slope_;
  std::vector<double> x_begin_;
  std::vector<double> slope_begin_;
  bool slope_begin_known_ = false;
  std::vector<double> x_new_;
  std::vector<double> times_;  // Of steps that are taken at once.
};

/// The explicit methods: Euler, midpoint, Heun, RK4, AB2, symplectic Euler.
[[nodiscard]] std::unique_ptr<TimeIntegrator> MakeExplicitFixedStep(
    Method method, OdeProblem& problem, const SolverOptions& options);

}  // namespace orrery::internal
