#include "orrery/solver/internal/taylor_lanes.h"

#include <cstdint>

namespace orrery::internal {

TaylorLanes::TaylorLanes(StepTaker& stepper, TaylorIntegrator& sample)
    : stepper_(stepper),
      order_(sample.order()),
      safety_(sample.safety()),
      lanes_(stepper.lanes()),
      absolute_tolerances_(sample.tolerances().absolute().begin(),
                           sample.tolerances().absolute().end()),
      relative_tolerance_(sample.tolerances().relative()),
      numbers_(lanes_.size(), TaylorSteps::kNumNumbers),
      x_(lanes_.size(), sample.x().size()),
      lost_(x_),
      last_(lanes_.size(), sample.step_arrays().last.size()),
      next_(last_) {}

bool TaylorLanes::Put(std::size_t lane,
                      TimeIntegrator& integrator,
                      double until,
                      double t_limit) {
  auto* const part = dynamic_cast<TaylorIntegrator*>(&integrator.active());
  const std::int64_t most = integrator.MostAtOnce();
  if (part == nullptr || most < 1 || part->order() != order_ ||
      !part->BeginSteps(t_limit)) {
    return false;
  }
  TaylorIntegrator::StepNumbers numbers{};
  part->WriteSteps(until, t_limit, most, numbers);
  const TaylorIntegrator::StepArrays arrays = part->step_arrays();
  numbers_.Put(lane, numbers);
  x_.Put(lane, arrays.x);
  lost_.Put(lane, arrays.lost);
  next_.Put(lane, arrays.next);
  lanes_[lane] = {.whole = &integrator, .part = part};
  return true;
}

void TaylorLanes::Run() {
  const TaylorSteps steps = {.numbers = numbers_.data(),
                             .x = x_.data(),
                             .lost = lost_.data(),
                             .last = last_.data(),
                             .next = next_.data(),
                             .absolute_tolerances = absolute_tolerances_.data(),
                             .relative_tolerance = relative_tolerance_,
                             .safety = safety_};
  if (stepper_.TakeSteps(order_, steps)) {
    return;
  }
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    numbers_.At(TaylorSteps::kOutcome, lane) = LaneOutcome::kStuck;
  }
}

bool TaylorLanes::Take(std::size_t lane) {
  const auto [whole, part] = lanes_[lane];
  double& outcome = numbers_.At(TaylorSteps::kOutcome, lane);
  if (whole == nullptr || outcome == LaneOutcome::kGoing) {
    return false;
  }
  TaylorIntegrator::StepNumbers numbers{};
  numbers_.Get(lane, numbers);
  if (numbers[TaylorSteps::kSteps] > 0) {
    const TaylorIntegrator::StepArrays arrays = part->step_arrays();
    x_.Get(lane, arrays.x);
    lost_.Get(lane, arrays.lost);
    if (outcome == LaneOutcome::kStuck) {
      last_.Get(lane, arrays.next);
    } else {
      last_.Get(lane, arrays.last);
      next_.Get(lane, arrays.next);
    }
  }
  whole->FollowActive(part->ReadSteps(numbers));
  outcome = LaneOutcome::kIdle;
  lanes_[lane] = {};
  return true;
}

}  // namespace orrery::internal
