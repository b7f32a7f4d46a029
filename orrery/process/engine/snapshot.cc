#include "orrery/process/engine/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/engine/saved_run.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/resolved_plan.h"
#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/condition_wait.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

using orrery::ToText;

namespace {

void CheckTaskCanBeSaved(const Run& run, const Node& task) {
  const auto text = [&] {
    return "cannot save the run: task '" + Ancestry(run, task) + "' ";
  };
  if (run.logs.of(task.index)->has_unique_result) {
    throw Error(ErrorCode::kUnsupported,
                text() +
                    "has been given what cannot be copied; let tasks "
                    "return values");
  }
  if (task.is_from_outside && !run.logs.recipes().contains(task.index)) {
    throw Error(ErrorCode::kInvalidArgument,
                text() +
                    "was made outside of it, and cannot be made again; "
                    "give Spawn a function that makes it");
  }
}

void CheckCanSave(const Run& run) {
  const std::string cannot = "cannot save the run: ";
  if (!run.logs.are_kept()) {
    throw Error(ErrorCode::kInvalidArgument,
                cannot +
                    "it keeps no logs of its tasks; set "
                    "Options::snapshots");
  }
  if (run.has_started && (run.has_work() || run.evaluations.has_samples())) {
    throw Error(ErrorCode::kInvalidArgument,
                cannot + "something was done to it from outside at t = " +
                    ToText(run.now()) +
                    " that it has not yet dealt with; let it run until then");
  }
  const NodePool& nodes = run.tasks.pool();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].state != TaskState::kFree) {
      CheckTaskCanBeSaved(run, nodes[i]);
    }
  }
}

std::vector<SavedRun::Task> SaveLogs(const Run& run) {
  std::vector<SavedRun::Task> logs;
  const NodePool& nodes = run.tasks.pool();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.state == TaskState::kFree) {
      continue;
    }
    const std::shared_ptr<TaskLog>& log = run.logs.of(i);
    logs.push_back({.index = i,
                    .log = log,
                    .end = {.steps = log->steps.size(),
                            .values = log->values.size(),
                            .hash = log->hash},
                    .wait = node.state == TaskState::kWaiting
                                ? node.wait->Save()
                                : SavedWait()});
  }
  return logs;
}

std::vector<std::uint32_t> SaveOpen(const Run& run) {
  std::vector<std::uint32_t> open;
  for (const ConditionWait* condition : run.evaluations.open()) {
    open.push_back(condition->task().index);
  }
  return open;
}

// Ends the present tasks, as at the end of the run, and drops what a batch that
// failed has left.
void DropTasks(Run& run) {
  run.tasks.EndAll();
  run.batch = {};
  run.transactions.Drop();
  run.facilities.Drop();
  run.evaluations.Clear();
  for (Resource* resource : run.members.resources()) {
    resource->is_changed = false;
  }
}

// Restores facilities first, with their requests in order, as conditions may
// read them.
void RestoreWaits(Run& run, const SavedRun& saved) {
  std::vector<const SavedRun::Task*> requests;
  std::vector<const SavedRun::Task*> others;
  for (const SavedRun::Task& task : saved.logs) {
    const Node& node = run.tasks[task.index];
    if (node.state == TaskState::kWaiting) {
      if (node.wait->Save().facility != task.wait.facility) {
        RefuseReplay(run, node);
      }
      (task.wait.facility != nullptr ? requests : others).push_back(&task);
    }
  }
  const auto restore = [&run](const SavedRun::Task& task) {
    Node& node = run.tasks[task.index];
    node.wait->Restore(run, node, task.wait);
  };
  std::ranges::sort(requests, {}, [](const SavedRun::Task* task) {
    return task->wait.order;
  });
  for (const SavedRun::Task* task : requests) {
    restore(*task);
  }
  run.members.RestoreMembers(saved.members);
  for (const SavedRun::Task* task : others) {
    restore(*task);
  }
}

void RestoreOpen(Run& run, const SavedRun& saved) {
  for (const std::uint32_t index : saved.open) {
    const Node& node = run.tasks[index];
    auto* const condition = dynamic_cast<ConditionWait*>(node.wait);
    if (condition == nullptr) {
      RefuseReplay(run, node);
    }
    run.evaluations.AddOpen(*condition);
  }
}

// Evaluates resources once more to find what they depend on; no cell changes.
void RelinkResources(Run& run) {
  for (Resource* resource : run.members.resources()) {
    if (resource->takes_samples && !run.recorder.has_profiles()) {
      continue;
    }
    if (run.has_started) {
      resource->Relink(run);
    } else {
      run.evaluations.MarkChanged(*resource);
    }
  }
}

}  // namespace

std::shared_ptr<const SavedRun> Save(const Run& run) {
  run.CheckIsIdle("save the run");
  run.CheckGoesOn();
  CheckCanSave(run);
  return std::make_shared<const SavedRun>(
      SavedRun{.run = &run,
               .calendar = run.calendar.Save(),
               .has_started = run.has_started,
               .names_from_outside = run.names_from_outside,
               .next_order = run.next_order,
               .tasks = run.tasks.Save(),
               .logs = SaveLogs(run),
               .open = SaveOpen(run),
               .members = run.members.Save(),
               .interrupts = run.exceptions.interrupts(),
               .recipes = run.logs.recipes(),
               .plan = run.plan,
               .records = run.recorder.Save(),
               .statistics = run.statistics,
               .warnings = run.warnings});
}

void Restore(Run& run, const SavedRun& saved) {
  run.CheckIsIdle("restore a snapshot");
  if (saved.run != &run) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot restore a snapshot: it is one of another run");
  }
  DropTasks(run);
  run.calendar.Restore(saved.calendar);
  run.has_started = saved.has_started;
  run.names_from_outside = saved.names_from_outside;
  run.next_order = saved.next_order;
  run.recorder.Restore(saved.records);
  run.members.RestoreSources(saved.members);
  run.plan = saved.plan;
  run.exceptions.Restore(saved.interrupts);
  run.logs.Restore(saved.recipes);
  run.tasks.Restore(saved.tasks);
  run.has_failed = true;  // In case a replay throws.
  run.members.ResetMembers();
  run.replay.ReplayAll(run, saved);
  run.calendar.SetNow(saved.calendar.now);
  RestoreWaits(run, saved);
  RestoreOpen(run, saved);
  run.has_failed = false;
  run.statistics = saved.statistics;
  run.warnings = saved.warnings;
  RelinkResources(run);
}

void Restore(Run& run,
             const SavedRun& saved,
             std::shared_ptr<const ResolvedPlan> plan) {
  static const ResolvedPlan none;
  const Duration change = FirstChange(
      saved.plan.plan() == nullptr ? none : *saved.plan.plan(), *plan);
  if (change <= saved.calendar.now) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot follow another plan from the snapshot at t = " +
                    ToText(saved.calendar.now) +
                    ": the plans may differ from t = " + ToText(change) +
                    " on; restore a snapshot before that");
  }
  Restore(run, saved);
  run.plan.Follow(run, std::move(plan));
}

}  // namespace orrery::process::internal
