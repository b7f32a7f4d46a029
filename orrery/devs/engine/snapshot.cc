#include "orrery/devs/engine/snapshot.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/devs/engine/run.h"
#include "orrery/devs/engine/transitions.h"

namespace orrery::devs::internal {

namespace {

AllCouplings SaveCouplings(const Coupled& root) {
  std::vector<SavedCouplings> all;
  ForEachCoupled(root, [&all](const Coupled& coupled) {
    all.push_back({.coupled = &coupled,
                   .couplings = {coupled.couplings().begin(),
                                 coupled.couplings().end()}});
  });
  return std::make_shared<const std::vector<SavedCouplings>>(std::move(all));
}

// For snapshots of another run only the present parts are compared: its changes
// of parts are unknown.
bool HasPartsOf(const Run& run, const SavedRun& saved) {
  if (saved.run == &run &&
      saved.num_changes_of_parts != run.changes.num_of_parts()) {
    return false;
  }
  const auto is_same = [](const Slot& slot, const SavedRun::Atomic& atomic) {
    return slot.model == atomic.model;
  };
  std::vector<const Coupled*> coupled;
  ForEachCoupled(run.network.root(), [&coupled](const Coupled& model) {
    coupled.push_back(&model);
  });
  return std::ranges::equal(run.models.slots, saved.atomics, is_same) &&
         std::ranges::equal(
             coupled, *saved.couplings, {}, {}, &SavedCouplings::coupled);
}

void CheckIsOfModel(const Run& run, const SavedRun& saved) {
  const Coupled& root = run.network.root();
  if (saved.root != &root) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot restore a run of " + root.Path() + ": the snapshot is one of " +
            (saved.root->Path() == root.Path() ? "another model of that name"
                                               : saved.root->Path()));
  }
  if (!HasPartsOf(run, saved)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot restore a run of " + root.Path() +
                    ": models were added or removed since the snapshot");
  }
}

void RestoreCouplings(Run& run, const SavedRun& saved) {
  bool are_other = false;
  for (const SavedCouplings& of : *saved.couplings) {
    if (std::ranges::equal(of.coupled->couplings(), of.couplings)) {
      continue;
    }
    if (!run.changes.are_allowed()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot restore a run of " + run.network.root().Path() +
                      ": its couplings were changed since the snapshot, and "
                      "this run was given a model that may not change; give it "
                      "one that is not const");
    }
    run.changes.SetCouplings(run, *of.coupled, of.couplings);
    are_other = true;
  }
  if (are_other) {
    Forget(run);
    run.changes.LayAnew(run);
    run.couplings = saved.couplings;
  }
}

void RestoreModels(ModelTable& models, const SavedRun& saved) {
  States states;
  std::vector<void*> copies;
  for (std::size_t i = 0; i < models.slots.size(); ++i) {
    const AtomicOps& ops = *models.slots[i].ops;
    copies.push_back(states.Add(
        ops, [&](void* place) { ops.copy(saved.atomics[i].state, place); }));
  }
  models.states = std::move(states);
  for (std::size_t i = 0; i < models.slots.size(); ++i) {
    Slot& slot = models.slots[i];
    slot.state = copies[i];
    slot.last = saved.atomics[i].last;
    slot.next = saved.atomics[i].next;
  }
}

// Drops all that was under way in a microstep.
void DropMicrostep(Run& run) {
  Forget(run);
  for (Marks& marks : run.models.marks) {
    marks.is_imminent = false;
    marks.has_input = false;
  }
  run.imminent.clear();
  run.selection.Clear();
  run.schedule.Clear();
  run.lane.changes.clear();
}

}  // namespace

std::shared_ptr<const SavedRun> Save(Run& run) {
  if (run.couplings == nullptr) {
    run.couplings = SaveCouplings(run.network.root());
  }
  auto saved = std::make_shared<SavedRun>();
  saved->root = &run.network.root();
  saved->run = &run;
  saved->num_changes_of_parts = run.changes.num_of_parts();
  saved->couplings = run.couplings;
  saved->now = run.now();
  saved->statistics = run.statistics;
  saved->injections = run.injections;
  for (const Slot& slot : run.models.slots) {
    void* const state = saved->states.Add(
        *slot.ops, [&](void* place) { slot.ops->copy(slot.state, place); });
    saved->atomics.push_back({.model = slot.model,
                              .last = slot.last,
                              .next = slot.next,
                              .state = state});
  }
  return saved;
}

void Restore(Run& run, const SavedRun& saved) {
  CheckIsOfModel(run, saved);
  RestoreCouplings(run, saved);
  RestoreModels(run.models, saved);
  run.schedule.SetNow(saved.now);
  run.statistics = saved.statistics;
  run.injections = saved.injections;
  run.failure = {};
  DropMicrostep(run);
  run.schedule.Rebuild();
  run.watchers.TellOfRestore(Duration(run.now()));
}

}  // namespace orrery::devs::internal
