#include "orrery/process/run/plan_progress.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/values/parameters.h"
#include "orrery/process/engine/outside_tasks.h"
#include "orrery/process/plan/resolved_plan.h"
#include "orrery/process/run/run.h"

namespace orrery::process::internal {

PlanProgress::PlanProgress(std::shared_ptr<const ResolvedPlan> plan)
    : plan_(std::move(plan)) {}

const std::string& PlanProgress::IdOf(std::uint32_t task) const {
  return plan_->entries[PlaceOf(task)].id;
}

const std::vector<Record::Field>& PlanProgress::AttributesOf(
    std::uint32_t task) const {
  return plan_->entries[PlaceOf(task)].attributes;
}

void PlanProgress::Begin(Run& run) {
  has_begun_ = true;
  if (plan_ == nullptr) {
    return;
  }
  for (std::uint32_t i = 0; i < plan_->entries.size(); ++i) {
    if (const auto at = plan_->entries[i].at) {
      BeginActivity(run, i, *at);
    }
  }
}

// Random numbers of the activity depend on its id alone, so that they are the
// same in another plan.
void PlanProgress::BeginActivity(Run& run, std::uint32_t place, Duration at) {
  const ResolvedPlan::Entry& planned = plan_->entries[place];
  const Recipe recipe = [plan = plan_, place](Run& of) {
    const ResolvedPlan::Entry& made = plan->entries[place];
    Parameters arguments(made.arguments);
    return made.activity->Make(arguments, of);
  };
  const std::uint64_t key = MixKeys(
      MixKeys(run.options.seed, StableHash("plan")), StableHash(planned.id));
  Node& task = AddOutsideTask(
      run, {.frame = recipe(run), .name = planned.name.c_str(), .key = key});
  task.is_planned = true;
  planned_[task.index] = place;
  run.logs.SetRecipe(task.index, recipe);
  if (at == run.now()) {
    task.is_to_begin = false;
    run.tasks.WakeNext(task);
  } else {
    run.calendar.Schedule(task, at);
  }
}

void PlanProgress::BeginFollowers(Run& run, const Node& task) {
  const auto found = planned_.find(task.index);
  const std::uint32_t place = found->second;
  planned_.erase(found);
  finished_[plan_->entries[place].id] = run.now();
  for (const std::uint32_t follower : plan_->entries[place].followers) {
    BeginActivity(
        run, follower, run.calendar.TimeAfter(plan_->entries[follower].delay));
  }
}

std::vector<UnbegunActivity> PlanProgress::Unbegun(
    const NodePool& tasks) const {
  std::vector<UnbegunActivity> unbegun;
  if (plan_ == nullptr) {
    return unbegun;
  }
  std::vector<const std::string*> awaited(plan_->entries.size());
  // Activities, each with the one at work that it waits for.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> left;
  for (const auto& [task, place] : planned_) {
    if (!tasks[task].is_to_begin) {
      left.emplace_back(place, place);
    }
  }
  while (!left.empty()) {
    const auto [place, at_work] = left.back();
    left.pop_back();
    for (const std::uint32_t follower : plan_->entries[place].followers) {
      awaited[follower] = &plan_->entries[at_work].id;
      left.emplace_back(follower, at_work);
    }
  }
  for (std::size_t i = 0; i < awaited.size(); ++i) {
    if (awaited[i] != nullptr) {
      unbegun.push_back({.id = plan_->entries[i].id, .after = *awaited[i]});
    }
  }
  return unbegun;
}

void PlanProgress::Follow(Run& run, std::shared_ptr<const ResolvedPlan> plan) {
  std::unordered_map<std::string, std::uint32_t> places;
  for (std::uint32_t i = 0; i < plan->entries.size(); ++i) {
    places[plan->entries[i].id] = i;
  }
  const auto old = std::exchange(plan_, std::move(plan));
  std::vector<std::uint32_t> dropped;
  for (auto& [task, place] : planned_) {
    const ResolvedPlan::Entry& was = old->entries[place];
    const auto found = places.find(was.id);
    if (found == places.end() ||
        !IsSame(*old, was, *plan_, plan_->entries[found->second])) {
      dropped.push_back(task);
    } else {
      place = found->second;
    }
  }
  for (const std::uint32_t task : dropped) {
    Drop(run, task);
  }
  BeginNew(run);
}

void PlanProgress::Drop(Run& run, std::uint32_t task) {
  Node& node = run.tasks[task];
  ORRERY_CHECK(node.is_to_begin);
  planned_.erase(task);
  run.calendar.Cancel(node);
  --run.tasks.root().live;
  --run.statistics.spawned;
  node.state = TaskState::kEnded;
  node.live = 0;
  run.tasks.FreeIfOver(node);
}

// Begins the activities that neither have a task nor are over.
void PlanProgress::BeginNew(Run& run) {
  std::unordered_set<std::uint32_t> known;
  for (const auto& [task, place] : planned_) {
    known.insert(place);
  }
  for (std::uint32_t i = 0; i < plan_->entries.size(); ++i) {
    const ResolvedPlan::Entry& entry = plan_->entries[i];
    if (known.contains(i) || finished_.contains(entry.id)) {
      continue;
    }
    if (entry.at) {
      BeginActivity(run, i, *entry.at);
    } else if (entry.root) {
      const auto end = finished_.find(plan_->entries[*entry.root].id);
      if (end != finished_.end()) {
        BeginActivity(
            run,
            i,
            run.calendar.TimeAfter(entry.delay - (run.now() - end->second)));
      }
    }
  }
}

}  // namespace orrery::process::internal
