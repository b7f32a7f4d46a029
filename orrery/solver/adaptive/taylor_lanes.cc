#include "orrery/solver/adaptive/taylor_lanes.h"

namespace orrery::solver::internal {

TaylorLanes::TaylorLanes(StepTaker& stepper, TaylorIntegrator& sample)
    : NumberedLanes(stepper, sample),
      order_(sample.order()),
      safety_(sample.safety()),
      x_(Array(sample.x().size())),
      lost_(x_),
      last_(Array(sample.step_arrays().last.size())),
      next_(last_) {}

bool TaylorLanes::Suits(TaylorIntegrator& part) const {
  return part.order() == order_;
}

void TaylorLanes::PutArrays(std::size_t lane, TaylorIntegrator& part) {
  const TaylorIntegrator::StepArrays arrays = part.step_arrays();
  x_.Put(lane, arrays.x);
  lost_.Put(lane, arrays.lost);
  next_.Put(lane, arrays.next);
}

bool TaylorLanes::TakeSteps() {
  return stepper().TakeSteps(order_,
                             {.numbers = numbers(),
                              .x = x_.data(),
                              .lost = lost_.data(),
                              .last = last_.data(),
                              .next = next_.data(),
                              .absolute_tolerances = absolute_tolerances(),
                              .relative_tolerance = relative_tolerance(),
                              .safety = safety_});
}

void TaylorLanes::GetArrays(std::size_t lane,
                            double outcome,
                            TaylorIntegrator& part) {
  const TaylorIntegrator::StepArrays arrays = part.step_arrays();
  x_.Get(lane, arrays.x);
  lost_.Get(lane, arrays.lost);
  if (outcome == LaneOutcome::kStuck) {
    last_.Get(lane, arrays.next);
  } else {
    last_.Get(lane, arrays.last);
    next_.Get(lane, arrays.next);
  }
}

}  // namespace orrery::solver::internal
