#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/symbolic/taylor/taylor_plan.h"

namespace orrery::sim::internal {

/// The recurrences for the Taylor series of a program whose derivatives are a
/// sequence of formulas.
[[nodiscard]] const TaylorPlan& PlanOfSeries(const Program& program,
                                             NativeCode& native);

/// Sets the numbers of recurrences that are constant between events, inputs
/// included.
/// @param memory of the program.
void HoldSeries(const Program& program,
                const TaylorPlan& plan,
                std::span<const double> memory,
                double* numbers);

/// The Taylor series of a program's states, by recurrences derived from the
/// code of its derivatives.
class ProgramSeries {
 public:
  /// Both must outlive it.
  ProgramSeries(ProgramEvaluator& evaluator, InputSignals& inputs);
  ProgramSeries(const ProgramSeries&) = delete;
  ProgramSeries& operator=(const ProgramSeries&) = delete;

  /// Reports interpreted runs to the program's native code.
  ~ProgramSeries();

  [[nodiscard]] SeriesKind kind() const noexcept;

  /// As OdeProblem::CostOfSeries.
  [[nodiscard]] SeriesCost Cost(int order) const noexcept {
    return {.derivative = plan_->CostOfDerivatives(),
            .series = plan_->CostOfSeries(order)};
  }

  /// "the derivatives have no Taylor series (...)"
  [[nodiscard]] const std::string& why_none() const noexcept {
    return why_none_;
  }

  /// As OdeProblem::Series.
  SeriesRows Expand(double t, std::span<const double> x, double h, int order);

  /// As OdeProblem::TakeSteps.
  bool TakeSteps(int order, const TaylorSteps& steps);

 private:
  void MakeRoom(int order);
  void Run(double h);
  void TellRuns();
  void FindCode();
  void PlaceHeld();
  void PlaceMoving(double t, double h);

  ProgramEvaluator& evaluator_;
  InputSignals& inputs_;
  TaylorPlan own_plan_;  // Used if the native code has none.
  const TaylorPlan* plan_ = nullptr;
  std::string why_none_;
  int order_ = 0;
  NativeTaylor code_ = nullptr;  // For this order.
  NativeTaylorSteps steps_ = nullptr;
  bool takes_steps_ = false;  // Or would, if there were code for them.
  std::uint64_t runs_ = 0;    // Interpreted, not reported.
  std::int64_t age_of_held_ = -1;
  std::vector<double> room_;
  double* numbers_ = nullptr;  // In `room_`, on a line of the cache.
};

}  // namespace orrery::sim::internal
