#include "orrery/process/run/facility_queue.h"

#include <cstdint>
#include <span>

#include "orrery/process/model/facility.h"
#include "orrery/process/run/evaluations.h"
#include "orrery/process/run/step_entries.h"

namespace orrery::process::internal {

void FacilityQueue::Tell(Facility& facility, std::uint64_t argument) {
  Mark(facility);
  facility.OnPosted(argument);
}

void FacilityQueue::Mark(Facility& facility) {
  if (!facility.needs_settling_) {
    facility.needs_settling_ = true;
    unsettled_.push_back(&facility);
  }
}

void FacilityQueue::SettleAll(Evaluations& evaluations) {
  for (const Posted& posted : posted_) {
    Tell(*posted.facility, posted.argument);
  }
  posted_.clear();
  for (Facility* facility : unsettled_) {
    facility->needs_settling_ = false;
    facility->Settle();
    evaluations.MarkDependents(facility->dependents_);
  }
  unsettled_.clear();
}

void FacilityQueue::UndoStep(std::uint32_t step) {
  EraseOfLastStep(posted_, step, [](const Posted& posted) {
    return posted.kind == PostKind::kEffect;
  });
}

void FacilityQueue::Drop() noexcept {
  posted_.clear();
  for (Facility* facility : unsettled_) {
    facility->needs_settling_ = false;
  }
  unsettled_.clear();
}

void FacilityQueue::Renumber(std::span<const std::uint32_t> ranks) {
  RenumberSteps(posted_, ranks);
}

}  // namespace orrery::process::internal
