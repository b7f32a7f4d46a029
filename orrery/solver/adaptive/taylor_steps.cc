// Steps by Taylor series that a problem takes at once, alone or in lanes.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "orrery/solver/adaptive/adaptive_step.h"
#include "orrery/solver/adaptive/taylor.h"
#include "orrery/solver/adaptive/taylor_lanes.h"

namespace orrery::solver::internal {

bool TaylorIntegrator::BeginSteps(double t_limit) {
  if (has_breaks_ || !(t_limit > t())) {
    return false;
  }
  is_expanded_ = is_expanded_ || ExpandFirst(t_limit) == Evaluation::kOk;
  return is_expanded_;
}

TaylorIntegrator::StepNumbers TaylorIntegrator::WriteSteps(
    double until, double t_limit, std::int64_t most) const noexcept {
  using Steps = TaylorSteps;
  StepNumbers numbers{};
  numbers[Steps::kT] = t();
  numbers[Steps::kUntil] = std::min(until, t_limit);
  numbers[Steps::kLimit] = t_limit;
  numbers[Steps::kUnit] = next_.unit;
  numbers[Steps::kLength] = next_.length;
  numbers[Steps::kGrowth] = next_.growth;
  numbers[Steps::kLeastStep] = LeastStep(min_step_, t(), t_limit);
  numbers[Steps::kMaxStep] = max_step_;
  numbers[Steps::kGrowthLimit] = growth_limit_;
  numbers[Steps::kMostSteps] = static_cast<double>(most);
  numbers[Steps::kOutcome] = LaneOutcome::kGoing;
  return numbers;
}

TaylorIntegrator::StepArrays TaylorIntegrator::step_arrays() noexcept {
  return {.x = states(), .lost = lost_, .last = series_, .next = next_series_};
}

std::int64_t TaylorIntegrator::ReadSteps(const StepNumbers& numbers) noexcept {
  using Steps = TaylorSteps;
  const auto taken = static_cast<std::int64_t>(numbers[Steps::kSteps]);
  if (taken == 0) {
    return 0;
  }
  counts().rhs_evaluations += taken;
  is_first_ = false;
  next_ = {.unit = numbers[Steps::kUnit],
           .length = numbers[Steps::kLength],
           .growth = numbers[Steps::kGrowth]};
  const double begin = numbers[Steps::kBegin];
  const double end = numbers[Steps::kT];
  if (numbers[Steps::kOutcome] == LaneOutcome::kStuck) {  // In a new step.
    LeapBy(taken, end, end - begin);
  } else {
    expansion_ = {.unit = numbers[Steps::kUnit],
                  .growth = numbers[Steps::kLastGrowth]};
    AdvanceBy(taken, begin, end);
  }
  return taken;
}

bool TaylorIntegrator::DoSteps(double until,
                               double t_limit,
                               std::int64_t most) {
  if (most < 1 || has_breaks_ || !is_expanded_) {
    return false;
  }
  StepNumbers numbers = WriteSteps(until, t_limit, most);
  const TaylorSteps steps = {
      .numbers = numbers.data(),
      .x = states().data(),
      .lost = lost_.data(),
      .last = series_.data(),
      .next = next_series_.data(),
      .absolute_tolerances = tolerances_.absolute().data(),
      .relative_tolerance = tolerances_.relative(),
      .safety = safety_};
  if (!evaluator_.problem().TakeSteps(order_, steps)) {
    return false;
  }
  if (numbers[TaylorSteps::kOutcome] == LaneOutcome::kStuck) {
    std::swap(series_, next_series_);
  }
  ReadSteps(numbers);
  return numbers[TaylorSteps::kOutcome] == LaneOutcome::kArrived;
}

std::unique_ptr<StepLanes> TaylorIntegrator::MakeLanes(StepTaker& stepper) {
  return has_breaks_ ? nullptr : std::make_unique<TaylorLanes>(stepper, *this);
}

}  // namespace orrery::solver::internal
