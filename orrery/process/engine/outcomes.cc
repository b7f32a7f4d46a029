#include "orrery/process/engine/outcomes.h"

#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

namespace {

void Apply(Run& run, Operation& operation) {
  Node& target = run.tasks[operation.target];
  if (target.frame && !target.frame.done()) {
    if (operation.reason == nullptr) {
      run.exceptions.DropInterrupts(target);
      target.is_cancelled = true;
      run.tasks.WakeNext(target);
    } else if (target.is_to_begin && target.state == TaskState::kDelayed) {
      run.exceptions.InterruptLater(target, std::move(operation.reason));
    } else {
      run.exceptions.Throw(target, std::move(operation.reason));
    }
  } else if (operation.is_of_call) {
    const auto thrown = run.batch.thrown.find(target.index);
    if (thrown != run.batch.thrown.end()) {
      thrown->second.is_left = true;
    }
  }
  --target.handles;
  run.tasks.FreeIfOver(target);
}

}  // namespace

bool RegisterWaits(Run& run) {
  bool has_ended = false;
  for (const Step& step : run.batch.steps) {
    Node& task = *step.task;
    switch (step.end) {
      case StepEnd::kDelayed:
        if (step.delay == Duration(0)) {
          run.tasks.WakeNext(task);
        } else {
          task.state = TaskState::kDelayed;
          run.calendar.ScheduleIn(task, step.delay);
        }
        break;
      case StepEnd::kWaiting:
        task.state = TaskState::kWaiting;
        task.wait->OnWaiting(run, task);
        break;
      case StepEnd::kJoining:
        task.state = TaskState::kWaiting;
        run.tasks.AddJoiner(run.tasks[step.joined], task);
        break;
      case StepEnd::kCalling:
        task.state = TaskState::kCalling;
        break;
      case StepEnd::kEnded:
        has_ended = true;
        break;
      case StepEnd::kNone:
        ORRERY_CHECK(false);
    }
  }
  return has_ended;
}

void ApplyOperations(Run& run) {
  if (run.exceptions.has_deferred()) {
    for (Operation& operation : run.exceptions.TakeDeferred()) {
      Apply(run, operation);
    }
  }
  for (Operation& operation : run.batch.operations) {
    Apply(run, operation);
  }
  run.batch.operations.clear();
}

}  // namespace orrery::process::internal
