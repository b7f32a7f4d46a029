#include <cstdint>
#include <string>

#include "orrery/base/parameters.h"
#include "orrery/base/random.h"
#include "orrery/process/internal/agenda.h"
#include "orrery/process/internal/run.h"

namespace orrery::process::internal {

void Run::BeginPlan() {
  if (agenda_ == nullptr) {
    return;
  }
  for (std::uint32_t i = 0; i < agenda_->entries.size(); ++i) {
    if (const auto at = agenda_->entries[i].at) {
      BeginPlanned(i, *at);
    }
  }
}

// What it draws at random depends on its id alone, so that a change of the plan
// changes nothing else.
void Run::BeginPlanned(std::uint32_t entry, Duration at) {
  const Agenda::Entry& planned = agenda_->entries[entry];
  const Recipe recipe = [&planned](Run& run) {
    Parameters arguments(planned.arguments);
    return planned.activity->Make(arguments, run);
  };
  Node& node = NewChild(RootNode(), recipe(*this), planned.name.c_str());
  node.key = MixKeys(MixKeys(options_.seed, StableHash("plan")),
                     StableHash(planned.id));
  node.is_planned = true;
  planned_[node.index] = entry;
  if (options_.snapshots) {
    is_from_outside_[node.index] = true;
    recipes_[node.index] = recipe;
  }
  node.state = TaskState::kDelayed;
  if (at == now_) {
    WakeNext(node);
  } else {
    Schedule(node, at);
  }
}

// It and all that it spawned is over.
void Run::BeginFollowers(const Node& node) {
  const auto found = planned_.find(node.index);
  const std::uint32_t entry = found->second;
  planned_.erase(found);
  for (const std::uint32_t follower : agenda_->entries[entry].followers) {
    BeginPlanned(follower, TimeAfter(agenda_->entries[follower].delay));
  }
}

}  // namespace orrery::process::internal
