#include "orrery/solver/internal/adaptive_lanes.h"

#include <cstdint>

namespace orrery::internal {

AdaptiveLanes::AdaptiveLanes(StepTaker& stepper, AdaptiveStepIntegrator& sample)
    : stepper_(stepper),
      method_(*sample.at_once().method),
      lanes_(stepper.lanes()),
      absolute_tolerances_(sample.tolerances().absolute().begin(),
                           sample.tolerances().absolute().end()),
      relative_tolerance_(sample.tolerances().relative()),
      numbers_(lanes_.size(), EmbeddedSteps::kNumNumbers),
      x_(lanes_.size(), sample.x().size()),
      slope_(x_),
      x_begin_(x_),
      slope_begin_(x_),
      stages_(lanes_.size(),
              (method_.tableau.stages() + 1) * sample.x().size()),
      argument_(x_),
      x_new_(x_) {}

bool AdaptiveLanes::Put(std::size_t lane,
                        TimeIntegrator& integrator,
                        double until,
                        double t_limit) {
  auto* const part =
      dynamic_cast<AdaptiveStepIntegrator*>(&integrator.active());
  const std::int64_t most = integrator.MostAtOnce();
  if (part == nullptr || most < 1 || part->at_once().method != &method_ ||
      !part->BeginSteps(t_limit)) {
    return false;
  }
  AdaptiveStepIntegrator::StepNumbers numbers{};
  part->WriteSteps(until, t_limit, most, numbers);
  numbers_.Put(lane, numbers);
  x_.Put(lane, part->x());
  slope_.Put(lane, part->slope());
  lanes_[lane] = {.whole = &integrator, .part = part};
  return true;
}

void AdaptiveLanes::Run() {
  const EmbeddedSteps steps = {
      .numbers = numbers_.data(),
      .x = x_.data(),
      .slope = slope_.data(),
      .x_begin = x_begin_.data(),
      .slope_begin = slope_begin_.data(),
      .stages = stages_.data(),
      .argument = argument_.data(),
      .x_new = x_new_.data(),
      .absolute_tolerances = absolute_tolerances_.data(),
      .relative_tolerance = relative_tolerance_};
  if (stepper_.TakeSteps(method_, steps)) {
    return;
  }
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    numbers_.At(EmbeddedSteps::kOutcome, lane) = LaneOutcome::kStuck;
  }
}

bool AdaptiveLanes::Take(std::size_t lane) {
  const auto [whole, part] = lanes_[lane];
  if (whole == nullptr ||
      numbers_.At(EmbeddedSteps::kOutcome, lane) == LaneOutcome::kGoing) {
    return false;
  }
  AdaptiveStepIntegrator::StepNumbers numbers{};
  numbers_.Get(lane, numbers);
  if (numbers[EmbeddedSteps::kSteps] > 0) {
    const AdaptiveStepIntegrator::StepArrays arrays = part->step_arrays();
    x_.Get(lane, arrays.x);
    slope_.Get(lane, arrays.slope);
    x_begin_.Get(lane, arrays.x_begin);
    slope_begin_.Get(lane, arrays.slope_begin);
    stages_.Get(lane, arrays.stages);
    argument_.Get(lane, arrays.argument);
  }
  whole->FollowActive(part->ReadSteps(numbers));
  numbers_.At(EmbeddedSteps::kOutcome, lane) = LaneOutcome::kIdle;
  lanes_[lane] = {};
  return true;
}

}  // namespace orrery::internal
