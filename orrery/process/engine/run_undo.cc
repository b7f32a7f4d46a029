#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "orrery/process/model/cell_core.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/run/run.h"

// Undoes a step that throws: all its effects. But units that its task held go
// back, and tasks that it had called end.
namespace orrery::process::internal {

namespace {

// Erases the entries of the last step that are to be undone. Entries are in the
// order of steps.
template <typename T, typename Predicate>
void EraseOfLast(std::vector<T>& all, std::uint32_t step, Predicate is_undone) {
  auto first = all.end();
  while (first != all.begin() && std::prev(first)->step == step) {
    --first;
  }
  all.erase(std::remove_if(first, all.end(), is_undone), all.end());
}

}  // namespace

void Run::UndoStep() {
  // A task that the step spawned and that has not run yet.
  while (steps_.back().parent == step_) {
    Node& child = *steps_.back().task;
    steps_.pop_back();
    if (Node* caller = CallerOf(child)) {
      --caller->blocked;
    }
    --current_->live;
    --statistics_.spawned;
    child.state = TaskState::kEnded;
    child.is_cancelled = true;
    child.live = 0;
    EndFrame(child);
    FreeIfOver(child);
  }
  EraseOfLast(operations_, step_, [this](const Operation& operation) {
    if (operation.is_of_call) {
      return false;
    }
    Node& target = (*nodes_)[operation.target];
    --target.handles;
    FreeIfOver(target);
    return true;
  });
  EraseOfLast(posted_, step_, [](const Posted& posted) {
    return posted.kind == PostKind::kEffect;
  });
  EraseOfLast(annotations_, step_, [](const Annotation&) { return true; });
  std::uint32_t first = segments_.size();
  while (first > 0 && segments_.step(first - 1) == step_) {
    --first;  // Its segments stay, without effects.
  }
  for (CellCore* cell : touched_.of_step) {
    cell->Undo(first);
  }
  for (std::size_t i = touched_.num_before; i < touched_.all.size(); ++i) {
    touched_.all[i]->acting_segment = kNoIndex;
  }
  touched_.all.resize(touched_.num_before);
  recording_->events.Undo(first);
}

}  // namespace orrery::process::internal
