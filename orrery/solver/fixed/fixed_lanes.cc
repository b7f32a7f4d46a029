#include "orrery/solver/fixed/fixed_lanes.h"

#include <algorithm>
#include <limits>

namespace orrery::solver::internal {

FixedLanes::FixedLanes(StepTaker& stepper, FixedStepIntegrator& sample)
    : stepper_(stepper),
      tableau_(*sample.tableau()),
      h_(sample.step()),
      lanes_(stepper.lanes()),
      x_(lanes_.size(), sample.x().size()),
      x_begin_(x_),
      work_(lanes_.size(), (tableau_.stages() + 1) * sample.x().size()),
      point_(sample.x().size()) {}

bool FixedLanes::Put(std::size_t lane,
                     TimeIntegrator& integrator,
                     double until,
                     double t_limit) {
  auto* const fixed = dynamic_cast<FixedStepIntegrator*>(&integrator.active());
  if (fixed == nullptr || fixed->tableau() != &tableau_ ||
      fixed->step() != h_ || !fixed->CanTakeSteps()) {
    return false;
  }
  const std::int64_t count =
      fixed->CountSteps(until, t_limit, integrator.MostAtOnce());
  if (count == 0) {
    return false;
  }
  x_.Put(lane, fixed->x());
  lanes_[lane] = {.integrator = fixed, .count = count, .t_limit = t_limit};
  return true;
}

void FixedLanes::Run() {
  const bool needs_times = stepper_.NeedsTimes(tableau_);
  std::int64_t count = needs_times ? FixedStepIntegrator::kMostTimes
                                   : std::numeric_limits<std::int64_t>::max();
  for (const Lane& lane : lanes_) {
    count = lane.integrator == nullptr
                ? count
                : std::min(count, lane.count - lane.taken);
  }
  bool has_steps = count == 1 || TakeSteps(count - 1, needs_times);
  std::ranges::copy(x_.all(), x_begin_.all().begin());
  has_steps = has_steps && TakeSteps(1, needs_times);
  for (Lane& lane : lanes_) {
    lane.has_failed = !has_steps;
  }
}

bool FixedLanes::TakeSteps(std::int64_t count, bool needs_times) {
  LaneArray times(lanes_.size(),
                  needs_times ? static_cast<std::size_t>(count) : 0);
  for (std::size_t l = 0; needs_times && l < lanes_.size(); ++l) {
    const Lane& lane = lanes_[l];
    for (std::int64_t k = 0; lane.integrator != nullptr && k < count; ++k) {
      times.At(static_cast<std::size_t>(k), l) =
          lane.integrator->BeginOf(lane.taken + k);
    }
  }
  for (Lane& lane : lanes_) {
    lane.taken += count;
  }
  return stepper_.TakeSteps(
      tableau_, times.all(), count, h_, x_.all(), work_.all());
}

bool FixedLanes::Take(std::size_t lane) {
  const Lane& taken = lanes_[lane];
  if (taken.integrator == nullptr ||
      (taken.taken < taken.count && !taken.has_failed)) {
    return false;
  }
  x_.Get(lane, point_);
  if (!taken.has_failed && FirstNotFinite(point_) < 0) {
    x_begin_.Get(lane, taken.integrator->RoomForBegin());
    taken.integrator->GoOver(taken.count, taken.t_limit, point_);
  }
  lanes_[lane] = {};
  return true;
}

}  // namespace orrery::solver::internal
