#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/values/parameters.h"
#include "orrery/process/engine/saved_run.h"
#include "orrery/process/plan/agenda.h"
#include "orrery/process/run/run.h"

namespace orrery::process::internal {

void Run::BeginPlan() {
  has_begun_plan_ = true;
  if (agenda_ == nullptr) {
    return;
  }
  for (std::uint32_t i = 0; i < agenda_->entries.size(); ++i) {
    if (const auto at = agenda_->entries[i].at) {
      BeginPlanned(i, *at);
    }
  }
}

// Random numbers of the activity depend on its id alone, so that they are the
// same in another plan.
void Run::BeginPlanned(std::uint32_t entry, Duration at) {
  const Agenda::Entry& planned = agenda_->entries[entry];
  const Recipe recipe = [agenda = agenda_, entry](Run& run) {
    const Agenda::Entry& made = agenda->entries[entry];
    Parameters arguments(made.arguments);
    return made.activity->Make(arguments, run);
  };
  const std::uint64_t key = MixKeys(MixKeys(options_.seed, StableHash("plan")),
                                    StableHash(planned.id));
  Node& node = NewFromOutside(
      {.frame = recipe(*this), .name = planned.name.c_str(), .key = key});
  node.is_planned = true;
  planned_[node.index] = entry;
  if (options_.snapshots) {
    recipes_[node.index] = recipe;
  }
  if (at == now_) {
    node.is_to_begin = false;
    WakeNext(node);
  } else {
    Schedule(node, at);
  }
}

// The task and all that it spawned is over.
void Run::BeginFollowers(const Node& node) {
  const auto found = planned_.find(node.index);
  const std::uint32_t entry = found->second;
  planned_.erase(found);
  finished_[agenda_->entries[entry].id] = now_;
  for (const std::uint32_t follower : agenda_->entries[entry].followers) {
    BeginPlanned(follower, TimeAfter(agenda_->entries[follower].delay));
  }
}

// Activities in the chains of followers of those that have begun and are not
// over.
std::vector<UnbegunActivity> Run::Unbegun() const {
  std::vector<UnbegunActivity> unbegun;
  if (agenda_ == nullptr) {
    return unbegun;
  }
  std::vector<const std::string*> awaited(agenda_->entries.size());
  // Activities, each with the one at work that it waits for.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> left;
  for (const auto& [task, entry] : planned_) {
    if (!(*nodes_)[task].is_to_begin) {
      left.emplace_back(entry, entry);
    }
  }
  while (!left.empty()) {
    const auto [entry, at_work] = left.back();
    left.pop_back();
    for (const std::uint32_t follower : agenda_->entries[entry].followers) {
      awaited[follower] = &agenda_->entries[at_work].id;
      left.emplace_back(follower, at_work);
    }
  }
  for (std::size_t i = 0; i < awaited.size(); ++i) {
    if (awaited[i] != nullptr) {
      unbegun.push_back({.id = agenda_->entries[i].id, .after = *awaited[i]});
    }
  }
  return unbegun;
}

// The order of tasks due at one time: first those that begin, in the order of
// the plan, then all others in the order of scheduling. So it does not matter
// when the plan became known.
std::uint64_t Run::OrderOf(const EventList::Entry& due) const {
  const bool is_task = (due.id & kResourceBit) == 0;
  if (is_task && Holds(due)) {
    const Node& node = (*nodes_)[due.id];
    if (node.is_planned && node.is_to_begin) {
      return planned_.at(due.id);
    }
  }
  return (std::uint64_t{1} << 32U) + due.stamp;
}

void Run::Restore(const SavedRun& saved, std::shared_ptr<const Agenda> agenda) {
  static const Agenda none;
  const Duration change =
      FirstChange(saved.agenda == nullptr ? none : *saved.agenda, *agenda);
  if (change <= saved.now) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot follow another plan from the snapshot at t = " +
            orrery::ToText(saved.now) + ": the plans may differ from t = " +
            orrery::ToText(change) + " on; restore a snapshot before that");
  }
  Restore(saved);
  FollowPlan(std::move(agenda));
}

// Activities that are the same in both plans go on. All others of the old plan
// have not begun, and are dropped.
void Run::FollowPlan(std::shared_ptr<const Agenda> agenda) {
  std::unordered_map<std::string, std::uint32_t> entries;
  for (std::uint32_t i = 0; i < agenda->entries.size(); ++i) {
    entries[agenda->entries[i].id] = i;
  }
  const auto old = std::exchange(agenda_, std::move(agenda));
  std::vector<std::uint32_t> dropped;
  std::unordered_set<std::string> known;
  for (auto& [task, entry] : planned_) {
    const Agenda::Entry& was = old->entries[entry];
    const auto found = entries.find(was.id);
    if (found == entries.end() ||
        !IsSame(*old, was, *agenda_, agenda_->entries[found->second])) {
      dropped.push_back(task);
    } else {
      entry = found->second;
      known.insert(was.id);
    }
  }
  for (const std::uint32_t task : dropped) {
    DropPlanned(task);
  }
  for (std::uint32_t i = 0; i < agenda_->entries.size(); ++i) {
    const Agenda::Entry& entry = agenda_->entries[i];
    if (known.contains(entry.id) || finished_.contains(entry.id)) {
      continue;
    }
    if (entry.at) {
      BeginPlanned(i, *entry.at);
    } else if (entry.root) {
      const auto end = finished_.find(agenda_->entries[*entry.root].id);
      if (end != finished_.end()) {
        BeginPlanned(i, TimeAfter(entry.delay - (now_ - end->second)));
      }
    }
  }
}

void Run::DropPlanned(std::uint32_t task) {
  Node& node = (*nodes_)[task];
  ORRERY_CHECK(node.is_to_begin);
  planned_.erase(task);
  DropEntry(node.stamp);
  --RootNode().live;
  --statistics_.spawned;
  node.state = TaskState::kEnded;
  node.live = 0;
  FreeIfOver(node);
}

}  // namespace orrery::process::internal
