#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "orrery/base/methods/taylor_steps.h"
#include "orrery/solver/adaptive/adaptive_step.h"
#include "orrery/solver/problem/method_name.h"
#include "orrery/solver/steps/evaluator.h"
#include "orrery/solver/steps/integrator.h"
#include "orrery/solver/steps/stability.h"

namespace orrery::solver::internal {

/// Returns the order of least work for a tolerance.
[[nodiscard]] int TaylorOrderFor(double tolerance) noexcept;

/// Integrates by the Taylor series of the solution: x(t + theta h) = sum_k c_k
/// theta^k. The order follows from the tolerance, and the length of a step from
/// the last two terms, so that steps are rarely rejected; the series is the
/// dense output. The rounding error of a sum is added in the next step (Kahan).
///
/// The last terms do not show all later ones: where sqrt(x^2) becomes 0, the
/// series continues as x, and that of tanh(1000 x) is a constant far from 0. So
/// its slope at the end of a step must be about that of the next series.
///
/// Beyond a kink or a jump the series belongs to another function. If there may
/// be any, the slope of the series is compared with f in the middle and at the
/// end of a step.
///
/// Source: Jorba and Zou, A software package for the numerical integration of
/// ODEs by means of high-order Taylor methods, Experimental Mathematics 14
/// (2005) 99-117, section 3.
class TaylorIntegrator final : public TimeIntegrator, public StabilityEstimate {
 public:
  /// @throws Error kInvalidArgument if the problem has no series.
  TaylorIntegrator(OdeProblem& problem, const SolverOptions& options);

  [[nodiscard]] bool IsStepBeyond(double part) override;

  /// Lets steps at once end where `IsStepBeyond(part)` may hold.
  void EndStepsBeyond(double part) noexcept;

  // --- For steps in lanes.

  [[nodiscard]] std::unique_ptr<StepLanes> MakeLanes(
      StepTaker& stepper) override;

  // The two take turns: the step of one begins while that of the other ends.
  [[nodiscard]] std::size_t vectors_at_once() const noexcept override {
    return 2;
  }

  [[nodiscard]] int order() const noexcept { return order_; }

  [[nodiscard]] const Tolerances& tolerances() const noexcept {
    return tolerances_;
  }

  [[nodiscard]] double safety() const noexcept { return safety_; }

  using StepNumbers = std::array<double, TaylorSteps::kNumNumbers>;

  struct StepArrays {
    std::span<double> x;
    std::span<double> lost;
    std::span<double> last;
    std::span<double> next;
  };

  /// Finds the series that the first step needs.
  /// @returns true if steps can be taken at once.
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

 private:
  /// Properties of a series beside its coefficients.
  struct Expansion {
    double unit = 0;    // The time in which theta goes from 0 to 1.
    double length = 0;  // Length of the step that its last terms allow.
    double growth = 0;  // Ratio of its last term to the one before.
  };

  void DoRestart() override;
  bool DoRenew() override;
  bool DoTransfer(StateStream& stream) override;
  StepResult DoStep(double t_limit) override;
  bool DoSteps(double until, double t_limit, std::int64_t most) override;
  const DenseOutput& DoDense(DenseOutput& dense) override;

  [[nodiscard]] double FirstUnit(double t_limit) const;
  Evaluation ExpandFirst(double t_limit);
  Evaluation Expand(double t,
                    std::span<const double> x,
                    std::span<const double> x_before);
  void SetLength(std::span<const double> x, std::span<const double> x_before);
  void TakeSeries(const SeriesRows& rows);
  [[nodiscard]] bool IsLimitedByAccuracy(double theta, double reach) const;
  [[nodiscard]] double Radius() const noexcept;
  [[nodiscard]] double LengthOfStep() const noexcept;
  [[nodiscard]] Attempt Try(double t_new, bool is_last);
  [[nodiscard]] Attempt CheckSlopes(double t_new);
  void CheckNextSlope(double h, Attempt& attempt) const;
  void CompareSlopes(double h, Attempt& attempt) const;
  static double LengthInstead(double h, const Attempt& attempt);
  StepResult StepAlongTangent(double t_limit, const StepResult& why);
  void Commit(double t_new);

  [[nodiscard]] std::span<const double> Row(std::span<const double> series,
                                            int k) const noexcept {
    return series.subspan(static_cast<std::size_t>(k) * x().size(), x().size());
  }

  Evaluator evaluator_;
  Tolerances tolerances_;
  int order_;
  bool has_breaks_;
  double safety_;  // Safety factor of the step. Jorba & Zou (2005), eq. (3-12).
  double initial_step_;
  double min_step_;
  double max_step_;
  double growth_limit_ = std::numeric_limits<double>::infinity();
  std::vector<double> next_series_;  // The last computed series.
  Expansion next_;                   // Properties of next_series_.
  bool is_expanded_ = false;         // next_series_ is the one at t().
  bool is_next_expanded_ = false;    // It is the one after the tried step.
  std::vector<double> series_;       // Series of the present or last step.
  Expansion expansion_;              // Properties of series_.
  bool is_first_ = true;             // No step was accepted since the restart.
  std::vector<double> slope_;
  std::vector<double> x_new_;
  std::vector<double> slope_sum_;  // h dx/dt of the series where it is summed.
  std::vector<double> lost_;       // Rounding error of x().
  std::vector<double> lost_new_;
  std::vector<double> x_middle_;
};

}  // namespace orrery::solver::internal
