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

namespace orrery::internal {

/// The order of least work for a tolerance.
[[nodiscard]] int TaylorOrderFor(double tolerance) noexcept;

/// Integrates by the Taylor series of the solution: x(t + theta h) = sum_k c_k
/// theta^k. The order follows from the tolerance, the length of a step from the
/// last two terms, so that hardly a step is tried in vain; the series is the
/// dense output. What of the sum is lost by rounding is added in the next step
/// (Kahan).
///
/// The last terms do not tell of all that is to come: where sqrt(x^2) becomes 0
/// the series goes on as x, and that of tanh(1000 x) is a constant far from 0.
/// So its slope at the end of a step must be about that of the next series.
///
/// Behind a kink or a jump the series is that of another function. Where there
/// may be some, its slope is compared with f in the middle and at the end of a
/// step.
///
/// Source: Jorba and Zou, A software package for the numerical integration of
/// ODEs by means of high-order Taylor methods, Experimental Mathematics 14
/// (2005) 99-117, section 3.
class TaylorIntegrator final : public TimeIntegrator, public StabilityEstimate {
 public:
  /// @throws Error kInvalidArgument if the problem has no series.
  TaylorIntegrator(OdeProblem& problem, const SolverOptions& options);

  [[nodiscard]] bool IsStepBeyond(double part) override;

  /// Steps that are taken at once end where `IsStepBeyond(part)` may hold.
  void EndStepsBeyond(double part) noexcept;

  // --- For steps in lanes.

  [[nodiscard]] std::unique_ptr<StepLanes> MakeLanes(
      StepTaker& stepper) override;

  // In turn: the step of one begins while that of the other ends.
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

  /// Finds the series that the first of the steps needs.
  /// @returns whether steps can be taken at once.
  bool BeginSteps(double t_limit);

  /// Steps until one ends at or after `until`, or `most` >= 1 of them.
  [[nodiscard]] StepNumbers WriteSteps(double until,
                                       double t_limit,
                                       std::int64_t most) const noexcept;

  [[nodiscard]] StepArrays step_arrays() noexcept;

  /// Goes on behind the steps, whose numbers and arrays these have become.
  /// @returns how many there were.
  std::int64_t ReadSteps(const StepNumbers& numbers) noexcept;

 private:
  /// What is known of a series beside its coefficients.
  struct Expansion {
    double unit = 0;    // The time in which theta goes from 0 to 1.
    double length = 0;  // Of the step that its last terms allow.
    double growth = 0;  // From the last but one to the last of these.
  };

  void DoRestart() override;
  bool DoRenew() override;
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
  double safety_;  // Of the step. Jorba & Zou (2005), eq. (3-12).
  double initial_step_;
  double min_step_;
  double max_step_;
  double growth_limit_ = std::numeric_limits<double>::infinity();
  std::vector<double> next_series_;  // As it was computed last.
  Expansion next_;                   // Of that.
  bool is_expanded_ = false;         // It is the one at t().
  bool is_next_expanded_ = false;    // It is, at the end of the step tried.
  std::vector<double> series_;       // Of the step at hand, or the last one.
  Expansion expansion_;              // Of that.
  bool is_first_ = true;             // No step was accepted since the restart.
  std::vector<double> slope_;
  std::vector<double> x_new_;
  std::vector<double> slope_sum_;  // h dx/dt of the series where it is summed.
  std::vector<double> lost_;       // By rounding, of x().
  std::vector<double> lost_new_;
  std::vector<double> x_middle_;
};

}  // namespace orrery::internal
