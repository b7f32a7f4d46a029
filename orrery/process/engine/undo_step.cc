#include "orrery/process/engine/undo_step.h"

#include <cstdint>

#include "orrery/process/run/run.h"
#include "orrery/process/run/step_entries.h"

namespace orrery::process::internal {

namespace {

// Ends the tasks that the step spawned, none of which has run yet.
void UndoSpawns(Run& run) {
  while (run.batch.steps.back().parent == run.step.index()) {
    Node& child = *run.batch.steps.back().task;
    run.batch.steps.pop_back();
    if (Node* caller = run.tasks.CallerOf(child)) {
      --caller->blocked;
    }
    --run.step.task()->live;
    --run.statistics.spawned;
    child.state = TaskState::kEnded;
    child.is_cancelled = true;
    child.live = 0;
    TaskTable::EndFrame(child);
    run.tasks.FreeIfOver(child);
  }
}

// Withdraws requests to stop other tasks. Called tasks end nevertheless.
void UndoOperations(Run& run) {
  EraseOfLastStep(run.batch.operations,
                  run.step.index(),
                  [&run](const Operation& operation) {
                    if (operation.is_of_call) {
                      return false;
                    }
                    Node& target = run.tasks[operation.target];
                    --target.handles;
                    run.tasks.FreeIfOver(target);
                    return true;
                  });
}

}  // namespace

void UndoStep(Run& run) {
  UndoSpawns(run);
  UndoOperations(run);
  run.facilities.UndoStep(run.step.index());
  const std::uint32_t first_segment = run.transactions.UndoStep();
  run.recorder.UndoStep(run.step.index(), first_segment);
}

}  // namespace orrery::process::internal
