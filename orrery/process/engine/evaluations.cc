#include "orrery/process/run/evaluations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "orrery/process/run/node.h"
#include "orrery/process/tasks/condition_wait.h"

namespace orrery::process::internal {

void Evaluations::EvaluateChanged(Run& run) {
  const std::size_t size = changed_.size();
  if (size > 1) {
    std::ranges::sort(changed_, {}, &Dependent::order);
  }
  for (std::size_t i = 0; i < size; ++i) {
    changed_[i]->is_changed = false;
    changed_[i]->Evaluate(run);
  }
  changed_.erase(changed_.begin(),
                 changed_.begin() + static_cast<std::ptrdiff_t>(size));
}

void Evaluations::SampleResources(Run& run) {
  for (Dependent* resource : changed_resources_) {
    resource->is_changed = false;
    resource->Evaluate(run);
  }
  changed_resources_.clear();
}

void Evaluations::AddOpen(ConditionWait& condition) {
  if (condition.open_index == kNoIndex) {
    condition.open_index = static_cast<std::uint32_t>(open_.size());
    open_.push_back(&condition);
  }
}

// Moves the last one to its place.
void Evaluations::RemoveOpen(ConditionWait& condition) noexcept {
  const std::uint32_t place = condition.open_index;
  if (place != kNoIndex) {
    open_[place] = open_.back();
    open_[place]->open_index = place;
    open_.pop_back();
    condition.open_index = kNoIndex;
  }
}

void Evaluations::MarkOpen() {
  for (ConditionWait* condition : open_) {
    MarkChanged(*condition);
  }
}

void Evaluations::Clear() noexcept {
  open_.clear();
  changed_.clear();
  changed_resources_.clear();
}

}  // namespace orrery::process::internal
