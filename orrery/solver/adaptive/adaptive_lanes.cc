#include "orrery/solver/adaptive/adaptive_lanes.h"

namespace orrery::solver::internal {

AdaptiveLanes::AdaptiveLanes(StepTaker& stepper, AdaptiveStepIntegrator& sample)
    : NumberedLanes(stepper, sample),
      method_(*sample.at_once().method),
      x_(Array(sample.x().size())),
      slope_(x_),
      x_begin_(x_),
      slope_begin_(x_),
      stages_(Array((method_.tableau.stages() + 1) * sample.x().size())),
      argument_(x_),
      x_new_(x_) {}

bool AdaptiveLanes::Suits(AdaptiveStepIntegrator& part) const {
  return part.at_once().method == &method_;
}

void AdaptiveLanes::PutArrays(std::size_t lane, AdaptiveStepIntegrator& part) {
  x_.Put(lane, part.x());
  slope_.Put(lane, part.slope());
}

bool AdaptiveLanes::TakeSteps() {
  return stepper().TakeSteps(method_,
                             {.numbers = numbers(),
                              .x = x_.data(),
                              .slope = slope_.data(),
                              .x_begin = x_begin_.data(),
                              .slope_begin = slope_begin_.data(),
                              .stages = stages_.data(),
                              .argument = argument_.data(),
                              .x_new = x_new_.data(),
                              .absolute_tolerances = absolute_tolerances(),
                              .relative_tolerance = relative_tolerance()});
}

void AdaptiveLanes::GetArrays(std::size_t lane,
                              double /*outcome*/,
                              AdaptiveStepIntegrator& part) {
  const AdaptiveStepIntegrator::StepArrays arrays = part.step_arrays();
  x_.Get(lane, arrays.x);
  slope_.Get(lane, arrays.slope);
  x_begin_.Get(lane, arrays.x_begin);
  slope_begin_.Get(lane, arrays.slope_begin);
  stages_.Get(lane, arrays.stages);
  argument_.Get(lane, arrays.argument);
}

}  // namespace orrery::solver::internal
