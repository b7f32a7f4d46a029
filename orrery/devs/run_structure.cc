// Changes of the structure that models ask for.

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/devs/internal/run.h"

namespace orrery::devs::internal {

const Coupled& Run::around() const {
  return *slots_[current_].model->parent();
}

void Run::Ask(std::function<void(Coupled& around)> make) {
  changes_.push_back(
      {.caller = current_, .around = &around(), .make = std::move(make)});
}

void Run::AddPart(std::string_view name, std::unique_ptr<Model> part) {
  // Functions are copied; their models are not.
  const auto shared = std::make_shared<std::unique_ptr<Model>>(std::move(part));
  Ask([name = std::string(name), shared](Coupled& around) {
    around.Adopt(name, std::move(*shared));
  });
}

void Run::Remove(const Model& part) {
  Ask([this, &part](Coupled& around) {
    const bool is_removed = std::ranges::any_of(
        removed_, [&](const auto& model) { return model.get() == &part; });
    if (is_removed) {
      Fail(around.Path() + " has lost '" + std::string(part.name()) +
           "' already, and another model removes it again; let one of them "
           "do it");
    }
    removed_.push_back(around.Remove(part));
  });
}

void Run::Couple(const Port& from, const Port& to) {
  Ask([&from, &to](Coupled& around) { around.Couple(from, to); });
}

void Run::Uncouple(const Port& from, const Port& to) {
  Ask([&from, &to](Coupled& around) { around.Uncouple(from, to); });
}

void Run::MakeChanges() {
  std::ranges::stable_sort(changes_, {}, &Change::caller);
  for (const Change& change : changes_) {
    current_ = change.caller;
    change.make(Changeable(*change.around));
  }
  changes_.clear();
  current_ = kNone;
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

// The network of what the model is now. Models that were there go on.
void Run::LayAnew() {
  has_changed_ = true;
  std::unordered_map<const Model*, Slot> before;
  for (const Slot& slot : slots_) {
    before.emplace(slot.model, slot);
  }
  network_ = Network(*changeable_);
  LayOut();
  States states;
  std::vector<std::uint32_t> added;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    const Model& model = *slot.model;
    const auto found = before.find(&model);
    current_ = i;
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
    Slot& slot = slots_[model];
    current_ = model;
    if (slot.is_observed) {
      ShowState(model, Transition::kStart);
    }
    Schedule(model, slot, slot.ops->advance(*slot.model, slot.state));
  }
}

}  // namespace orrery::devs::internal
