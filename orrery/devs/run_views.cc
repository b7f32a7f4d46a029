// What a run lets others see and keep: observers, snapshots.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/pattern.h"
#include "orrery/devs/internal/run.h"

namespace orrery::devs::internal {

// Observers -------------------------------------------------------------------

void Run::Observe(Observer& observer, std::string_view pattern) {
  Watcher& watcher = watchers_.emplace_back();
  watcher.observer = &observer;
  watcher.sees.resize(slots_.size());
  bool sees_any = false;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    if (FitsPattern(pattern, slots_[i].model->Path())) {
      watcher.sees[i] = true;
      slots_[i].is_observed = true;
      sees_any = true;
    }
  }
  if (!sees_any) {
    watchers_.pop_back();
    throw Error(ErrorCode::kInvalidArgument,
                "cannot observe '" + std::string(pattern) +
                    "': " + network_.root().Path() +
                    " has no atomic model of such a path; '*' stands for any "
                    "text, '?' for any character");
  }
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    if (watcher.sees[i]) {
      observer.OnTransition(Duration(slots_[i].last),
                            *slots_[i].model,
                            Transition::kStart,
                            slots_[i].state);
    }
  }
}

void Run::Ignore(const Observer& observer) {
  std::erase_if(watchers_, [&](const Watcher& watcher) {
    return watcher.observer == &observer;
  });
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    slots_[i].is_observed = std::ranges::any_of(
        watchers_, [&](const Watcher& watcher) { return watcher.sees[i]; });
  }
}

void Run::ShowInput(std::uint32_t model, const Bag& x) {
  ForEachObserver(model, [&](Observer& observer) {
    observer.OnInput(Duration(now_), *slots_[model].model, x);
  });
}

void Run::ShowState(std::uint32_t model, Transition transition) {
  const Slot& slot = slots_[model];
  ForEachObserver(model, [&](Observer& observer) {
    observer.OnTransition(Duration(now_), *slot.model, transition, slot.state);
  });
}

// Snapshots -------------------------------------------------------------------

Snapshot Run::Save() const {
  auto saved = std::make_shared<SavedRun>();
  saved->root = &network_.root();
  saved->now = now_;
  saved->statistics = statistics_;
  saved->injections = injections_;
  saved->num_injections = num_injections_;
  for (const Slot& slot : slots_) {
    void* const state = saved->states.Add(
        *slot.ops, [&](void* place) { slot.ops->copy(slot.state, place); });
    saved->atomics.push_back(
        {.last = slot.last, .next = slot.next, .state = state});
  }
  Snapshot snapshot;
  snapshot.saved_ = std::move(saved);
  return snapshot;
}

void Run::Restore(const Snapshot& snapshot) {
  const SavedRun& saved = *snapshot.saved_;
  if (saved.root != &network_.root()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot restore a run of " + network_.root().Path() +
                    ": the snapshot is one of " + saved.root->Path());
  }
  States states;
  std::vector<void*> copies;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    copies.push_back(states.Add(*slots_[i].ops, [&](void* place) {
      slots_[i].ops->copy(saved.atomics[i].state, place);
    }));
  }
  states_ = std::move(states);
  now_ = saved.now;
  statistics_ = saved.statistics;
  injections_ = saved.injections;
  num_injections_ = saved.num_injections;
  has_failed_ = false;
  Forget();
  for (std::vector<std::uint32_t>* models : {&imminent_, &due_, &next_}) {
    models->clear();
  }
  events_.Clear();
  live_ = 0;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.state = copies[i];
    slot.last = saved.atomics[i].last;
    slot.next = saved.atomics[i].next;
    slot.is_imminent = false;
    slot.has_input = false;
    live_ += slot.next == kNever ? 0U : 1U;
    if (slot.next == now_) {
      due_.push_back(i);
    } else if (slot.next != kNever) {
      events_.Add(slot.next, i);
    }
  }
}

}  // namespace orrery::devs::internal
