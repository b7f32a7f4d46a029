#include "orrery/devs/engine/structure_changes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/devs/engine/failures.h"
#include "orrery/devs/engine/run.h"
#include "orrery/devs/engine/transitions.h"

namespace orrery::devs::internal {

namespace {

// Removes models that are gone from the list of priorities.
void ForgetPriorities(Run& run) {
  if (run.options.priority.empty()) {
    return;
  }
  const std::unordered_set<const Model*> here(run.network.atomics().begin(),
                                              run.network.atomics().end());
  std::erase_if(run.options.priority,
                [&](const Model* model) { return !here.contains(model); });
}

}  // namespace

void StructureChanges::Remove(Run& run, const Model& part, Coupled& around) {
  const auto is_part = [&](const auto& model) {
    return model.get() == &part;
  };
  if (part.parent() == nullptr && std::ranges::any_of(removed_, is_part)) {
    Fail(run,
         around.Path() + " has lost '" + std::string(part.name()) +
             "' already; remove it once");
  }
  removed_.push_back(around.TakeOut(part));
  with_gaps_.insert(&around);
}

void StructureChanges::CloseGaps() {
  for (Coupled* coupled : with_gaps_) {
    coupled->CloseGaps();
  }
  with_gaps_.clear();
}

void StructureChanges::Make(Run& run) {
  std::vector<Lane::Change>& changes = run.lane.changes;
  run.couplings = nullptr;
  num_of_parts_ += std::ranges::count_if(changes, &Lane::Change::is_of_parts);
  std::ranges::stable_sort(changes, {}, &Lane::Change::caller);
  try {
    for (const Lane::Change& change : changes) {
      run.lane.model = change.caller;
      change.make(Changeable(run, *change.around));
    }
  } catch (...) {
    CloseGaps();
    throw;
  }
  CloseGaps();
  changes.clear();
  run.lane.model = Lane::kNone;
  LayAnew(run);
  removed_.clear();
}

Coupled& StructureChanges::Changeable(Run& run, const Coupled& around) const {
  if (root_ == nullptr) {
    Fail(run,
         "the structure is to change, and the run was given a model that may "
         "not; give it one that is not const");
  }
  std::vector<std::uint32_t> positions;
  const Coupled* at = &around;
  for (; at->parent() != nullptr; at = at->parent()) {
    positions.push_back(at->position());
  }
  if (at != root_) {
    Fail(run,
         "'" + std::string(around.name()) +
             "' is to change, and was removed in the same instant");
  }
  Coupled* found = root_;
  std::ranges::reverse(positions);
  for (const std::uint32_t position : positions) {
    found = static_cast<Coupled*>(found->parts()[position].get());
  }
  return *found;
}

void StructureChanges::SetCouplings(Run& run,
                                    const Coupled& around,
                                    std::span<const Coupling> couplings) {
  Changeable(run, around).RestoreCouplings(couplings);
}

void StructureChanges::LayAnew(Run& run) {
  std::unordered_map<const Model*, Slot> before;
  for (const Slot& slot : run.models.slots) {
    before.emplace(slot.model, slot);
  }
  run.network = Network(*root_);
  ForgetPriorities(run);
  run.LayOut();
  States states;
  std::vector<std::uint32_t> added;
  for (std::uint32_t i = 0; i < run.models.slots.size(); ++i) {
    Slot& slot = run.models.slots[i];
    const auto found = before.find(slot.model);
    run.lane.model = i;
    if (found == before.end()) {
      added.push_back(i);
      run.models.Initialize(i, run.options.seed, states);
      continue;
    }
    slot.last = found->second.last;
    slot.next = found->second.next;
    slot.state = states.Add(*slot.ops, [&](void* place) {
      slot.ops->move(found->second.state, place);
    });
  }
  run.models.states = std::move(states);
  run.schedule.Rebuild();
  run.watchers.LayOut();
  for (const std::uint32_t model : added) {
    Move(run, model, Transition::kStart);
  }
}

}  // namespace orrery::devs::internal
