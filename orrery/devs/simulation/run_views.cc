// Observers and snapshots of a run.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/pattern.h"
#include "orrery/devs/simulation/run.h"

namespace orrery::devs::internal {

// Observers -------------------------------------------------------------------

void Run::Observe(Observer& observer, std::string_view pattern) {
  DropIgnored();
  Watcher watcher{.observer = &observer, .pattern = std::string(pattern)};
  if (!Watch(watcher)) {
    RefuseToObserve(watcher.pattern);
  }
  Add(std::move(watcher));
}

void Run::RefuseToObserve(const std::string& pattern) const {
  const std::string parts = pattern + ".*";
  std::vector<std::string> paths;
  for (const Slot& slot : slots_) {
    paths.push_back(slot.model->Path());
  }
  const bool has_parts = std::ranges::any_of(
      paths, [&](const std::string& path) { return FitsPattern(parts, path); });
  const std::string near = pattern.find_first_of("*?") == std::string::npos
                               ? Nearest(pattern, paths)
                               : "";
  const char* const wildcards =
      "'*' stands for any text, '?' for any character";
  throw Error(ErrorCode::kInvalidArgument,
              "cannot observe '" + pattern + "': " + network_.root().Path() +
                  " has no atomic model of such a path; " +
                  (has_parts      ? "its parts are '" + parts + "'"
                   : near.empty() ? wildcards
                                  : "did you mean '" + near + "'?"));
}

void Run::Observe(Observer& observer, const Model& model) {
  DropIgnored();
  if (&model == &network_.root()) {
    exit_watchers_.push_back(&observer);
    return;
  }
  static_cast<void>(network_.NumberOf(model));
  Watcher watcher{.observer = &observer, .model = &model};
  Watch(watcher);
  Add(std::move(watcher));
}

void Run::Add(Watcher watcher) {
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    if (watcher.sees[i]) {
      watcher.observer->OnTransition(Duration(slots_[i].last),
                                     *slots_[i].model,
                                     Transition::kStart,
                                     slots_[i].state);
    }
  }
  watchers_.push_back(std::move(watcher));
}

// @returns true if it sees any model.
bool Run::Watch(Watcher& watcher) {
  watcher.sees.assign(slots_.size(), false);
  bool sees_any = false;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    const Model* const model = slots_[i].model;
    if (watcher.model == nullptr ? FitsPattern(watcher.pattern, model->Path())
                                 : watcher.model == model) {
      watcher.sees[i] = true;
      marks_[i].is_observed = true;
      sees_any = true;
    }
  }
  return sees_any;
}

// Only marks the watcher: observers may call this while they are called.
void Run::Ignore(const Observer& observer) {
  for (Watcher& watcher : watchers_) {
    if (watcher.observer == &observer) {
      watcher.observer = nullptr;
      has_ignored_ = true;
    }
  }
  for (Observer*& watcher : exit_watchers_) {
    if (watcher == &observer) {
      watcher = nullptr;
      has_ignored_ = true;
    }
  }
}

void Run::DropIgnored() {
  if (!std::exchange(has_ignored_, false)) {
    return;
  }
  std::erase_if(watchers_, [](const Watcher& watcher) {
    return watcher.observer == nullptr;
  });
  std::erase(exit_watchers_, nullptr);
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    marks_[i].is_observed = std::ranges::any_of(
        watchers_, [&](const Watcher& watcher) { return watcher.sees[i]; });
  }
}

// Shows the messages that leave by the outputs of the outermost model.
void Run::ShowExits() {
  if (exit_watchers_.empty()) {
    return;
  }
  const auto sources = network_.source_of_exits();
  const bool is_any = std::ranges::any_of(sources, [&](std::uint32_t source) {
    return source != Network::kNothing &&
           (source < network_.num_outputs()
                ? mail_.outputs[source].count > 0
                : mail_.lists[source - network_.num_outputs()].count > 0);
  });
  if (!is_any) {
    return;
  }
  const Bag y(network_.root(), sources.data(), mail_);
  for (Observer* const watcher : exit_watchers_) {
    if (watcher != nullptr) {
      CallObserver(network_.root(), [&] {
        watcher->OnOutput(Duration(now_), network_.root(), y);
      });
    }
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

// Many snapshots share the couplings.
void Run::SaveCouplings() {
  std::vector<SavedCouplings> all;
  ForEachCoupled(network_.root(), [&all](const Coupled& coupled) {
    all.push_back({.coupled = &coupled,
                   .couplings = {coupled.couplings().begin(),
                                 coupled.couplings().end()}});
  });
  couplings_ =
      std::make_shared<const std::vector<SavedCouplings>>(std::move(all));
}

Snapshot Run::Save() {
  if (couplings_ == nullptr) {
    SaveCouplings();
  }
  auto saved = std::make_shared<SavedRun>();
  saved->root = &network_.root();
  saved->run = this;
  saved->num_changes_of_parts = num_changes_of_parts_;
  saved->couplings = couplings_;
  saved->now = now_;
  saved->statistics = statistics_;
  saved->injections = injections_;
  saved->num_injections = num_injections_;
  for (const Slot& slot : slots_) {
    void* const state = saved->states.Add(
        *slot.ops, [&](void* place) { slot.ops->copy(slot.state, place); });
    saved->atomics.push_back({.model = slot.model,
                              .last = slot.last,
                              .next = slot.next,
                              .state = state});
  }
  Snapshot snapshot;
  snapshot.saved_ = std::move(saved);
  return snapshot;
}

// For snapshots of another run only the present parts are compared: its changes
// of parts are unknown.
bool Run::HasPartsOf(const SavedRun& saved) const {
  if (saved.run == this &&
      saved.num_changes_of_parts != num_changes_of_parts_) {
    return false;
  }
  const auto is_same = [](const Slot& slot, const SavedRun::Atomic& atomic) {
    return slot.model == atomic.model;
  };
  std::vector<const Coupled*> coupled;
  ForEachCoupled(network_.root(), [&coupled](const Coupled& model) {
    coupled.push_back(&model);
  });
  return std::ranges::equal(slots_, saved.atomics, is_same) &&
         std::ranges::equal(
             coupled, *saved.couplings, {}, {}, &SavedCouplings::coupled);
}

void Run::RestoreCouplings(const SavedRun& saved) {
  bool are_other = false;
  for (const SavedCouplings& of : *saved.couplings) {
    if (std::ranges::equal(of.coupled->couplings(), of.couplings)) {
      continue;
    }
    if (changeable_ == nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot restore a run of " + network_.root().Path() +
                      ": its couplings were changed since the snapshot, and "
                      "this run was given a model that may not change; give it "
                      "one that is not const");
    }
    Changeable(*of.coupled).RestoreCouplings(of.couplings);
    are_other = true;
  }
  if (are_other) {
    Forget();
    LayAnew();
    couplings_ = saved.couplings;
  }
}

void Run::Restore(const Snapshot& snapshot) {
  const SavedRun& saved = *snapshot.saved_;
  if (saved.root != &network_.root()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot restore a run of " + network_.root().Path() +
                    ": the snapshot is one of " +
                    (saved.root->Path() == network_.root().Path()
                         ? "another model of that name"
                         : saved.root->Path()));
  }
  if (!HasPartsOf(saved)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot restore a run of " + network_.root().Path() +
                    ": models were added or removed since the snapshot");
  }
  RestoreCouplings(saved);
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
  failure_ = nullptr;
  Forget();
  for (Marks& marks : marks_) {
    marks.is_imminent = false;
    marks.has_input = false;
  }
  for (std::vector<std::uint32_t>* models : {&imminent_, &due_, &next_}) {
    models->clear();
  }
  lane_.changes.clear();
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.state = copies[i];
    slot.last = saved.atomics[i].last;
    slot.next = saved.atomics[i].next;
  }
  ScheduleAll();
  for (const Watcher& watcher : watchers_) {
    if (watcher.observer != nullptr) {
      watcher.observer->OnRestore(Duration(now_));
    }
  }
}

// Builds the event list from the times of the models.
void Run::ScheduleAll() {
  events_.Clear();
  live_ = 0;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    const std::int64_t next = slots_[i].next;
    live_ += next == kNever ? 0U : 1U;
    if (next == now_) {
      due_.push_back(i);
    } else if (next != kNever) {
      events_.Add(next, i);
    }
  }
}

}  // namespace orrery::devs::internal
