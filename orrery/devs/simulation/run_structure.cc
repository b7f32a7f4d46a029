// Changes of structure by models.

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/devs/simulation/run.h"

namespace orrery::devs::internal {

const Coupled& Lane::around() const {
  return *run_.ModelAt(model).parent();
}

void Lane::Ask(bool is_of_parts, std::function<void(Coupled& around)> make) {
  changes.push_back({.caller = model,
                     .around = &around(),
                     .is_of_parts = is_of_parts,
                     .make = std::move(make)});
}

void Lane::AddPart(std::string_view name, std::unique_ptr<Model> part) {
  // Shared, as functions are copied and their models are not.
  const auto shared = std::make_shared<std::unique_ptr<Model>>(std::move(part));
  Ask(true, [name = std::string(name), shared](Coupled& around) {
    around.Adopt(name, std::move(*shared));
  });
}

void Lane::Remove(const Model& part) {
  Ask(true, [this, &part](Coupled& around) { run_.Remove(part, around); });
}

void Lane::Couple(const Port& from, const Port& to) {
  Ask(false, [&from, &to](Coupled& around) { around.Couple(from, to); });
}

void Lane::Uncouple(const Port& from, const Port& to) {
  Ask(false, [&from, &to](Coupled& around) { around.Uncouple(from, to); });
}

void Run::Remove(const Model& part, Coupled& around) {
  const auto is_part = [&](const auto& model) {
    return model.get() == &part;
  };
  if (part.parent() == nullptr && std::ranges::any_of(removed_, is_part)) {
    Fail(around.Path() + " has lost '" + std::string(part.name()) +
         "' already; remove it once");
  }
  removed_.push_back(around.TakeOut(part));
  with_gaps_.insert(&around);
}

void Run::CloseGaps() {
  for (Coupled* coupled : with_gaps_) {
    coupled->CloseGaps();
  }
  with_gaps_.clear();
}

void Run::MakeChanges() {
  couplings_ = nullptr;
  num_changes_of_parts_ +=
      std::ranges::count_if(lane_.changes, &Lane::Change::is_of_parts);
  std::ranges::stable_sort(lane_.changes, {}, &Lane::Change::caller);
  try {
    for (const Lane::Change& change : lane_.changes) {
      lane_.model = change.caller;
      change.make(Changeable(*change.around));
    }
  } catch (...) {
    CloseGaps();
    throw;
  }
  CloseGaps();
  lane_.changes.clear();
  lane_.model = Lane::kNone;
  LayAnew();
  removed_.clear();
}

Coupled& Run::Changeable(const Coupled& around) {
  if (changeable_ == nullptr) {
    Fail(
        "the structure is to change, and the run was given a model that may "
        "not; give it one that is not const");
  }
  std::vector<std::uint32_t> positions;
  const Coupled* at = &around;
  for (; at->parent() != nullptr; at = at->parent()) {
    positions.push_back(at->position());
  }
  if (at != changeable_) {
    Fail("'" + std::string(around.name()) +
         "' is to change, and was removed in the same instant");
  }
  Coupled* found = changeable_;
  std::ranges::reverse(positions);
  for (const std::uint32_t position : positions) {
    found = static_cast<Coupled*>(found->parts()[position].get());
  }
  return *found;
}

// Removes models that are gone from the list of priorities.
void Run::ForgetPriorities() {
  if (options_.priority.empty()) {
    return;
  }
  const std::unordered_set<const Model*> here(network_.atomics().begin(),
                                              network_.atomics().end());
  std::erase_if(options_.priority,
                [&](const Model* model) { return !here.contains(model); });
}

// Builds the network of the changed model. Models that were there keep their
// states.
void Run::LayAnew() {
  std::unordered_map<const Model*, Slot> before;
  for (const Slot& slot : slots_) {
    before.emplace(slot.model, slot);
  }
  network_ = Network(*changeable_);
  ForgetPriorities();
  LayOut();
  States states;
  std::vector<std::uint32_t> added;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    const Model& model = *slot.model;
    const auto found = before.find(&model);
    lane_.model = i;
    if (found == before.end()) {
      added.push_back(i);
      slot.state = states.Add(*slot.ops, [&](void* place) {
        slot.ops->initialize(model, Start(options_.seed, model), place);
      });
      continue;
    }
    slot.last = found->second.last;
    slot.next = found->second.next;
    slot.state = states.Add(*slot.ops, [&](void* place) {
      slot.ops->move(found->second.state, place);
    });
  }
  states_ = std::move(states);
  ScheduleAll();
  for (Watcher& watcher : watchers_) {
    Watch(watcher);
  }
  for (const std::uint32_t model : added) {
    Move(model, Transition::kStart);
  }
}

}  // namespace orrery::devs::internal
