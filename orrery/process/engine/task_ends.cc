#include "orrery/process/engine/task_ends.h"

#include <cstdint>
#include <exception>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/task.h"

namespace orrery::process::internal {

using orrery::ToText;

namespace {

std::string MessageOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "it throws what is no std::exception";
  }
}

[[noreturn]] void Fail(const std::string& what,
                       const std::exception_ptr& failure) {
  const Error error(ErrorCode::kInvalidModel, what + MessageOf(failure));
  try {
    std::rethrow_exception(failure);
  } catch (...) {
    std::throw_with_nested(error);
  }
}

// True if `caller` goes on in the next batch without the end of its call number
// `call`.
bool HasLeft(const Node& caller, std::uint32_t call) {
  const std::uint32_t calls = caller.calls - call;
  return (calls == 0 && (caller.has_exception || caller.is_cancelled)) ||
         (calls == 1 && caller.has_exception);
}

// Tells all that wait for the task itself, else its caller. If that call was
// left in the same batch, adds a warning.
// @returns false if nobody is told.
[[nodiscard]] bool TellOfFailure(Run& run, Node& task, const Thrown& thrown) {
  bool is_told = false;
  for (const std::uint32_t joiner : run.tasks.TakeJoiners(task)) {
    is_told |= run.exceptions.Deliver(run.tasks[joiner], thrown.exception);
  }
  if (is_told) {
    return true;
  }
  if (task.caller == kNoIndex) {
    return false;
  }
  Node& caller = run.tasks[task.caller];
  if (thrown.is_left || HasLeft(caller, task.call)) {
    run.warnings.Add(run.now(),
                     "task '" + Ancestry(run, task) + "' failed at " +
                         ToText(run.now()) +
                         " when its caller did not wait for it any more: " +
                         MessageOf(thrown.exception));
    return true;
  }
  return run.tasks.CallerOf(task) != nullptr &&
         run.exceptions.Deliver(caller, thrown.exception);
}

void TellOfCancellation(Run& run, Node& task) {
  const std::exception_ptr exception = std::make_exception_ptr(Cancelled());
  for (const std::uint32_t joiner : run.tasks.TakeJoiners(task)) {
    run.exceptions.Deliver(run.tasks[joiner], exception);
  }
  Node* caller = run.tasks.CallerOf(task);
  if (caller != nullptr && task.parent == task.caller) {
    run.exceptions.Deliver(*caller, exception);
  }
}

// Ends the task, and its ancestors that have only waited for it to be over.
void EndTask(Run& run, Node& task) {
  task.state = TaskState::kEnded;
  task.wait = nullptr;
  if (task.handles == 0) {
    TaskTable::EndFrame(task);
  }
  if (Node* caller = run.tasks.CallerOf(task);
      caller != nullptr && --caller->blocked == 0) {
    run.tasks.WakeNext(*caller);
    if (caller->awaits_first) {
      run.tasks.NoteFirst(*caller);
    }
  }
  if (task.has_joiners) {
    for (const std::uint32_t joiner : run.tasks.TakeJoiners(task)) {
      run.tasks.WakeNext(run.tasks[joiner]);
    }
  }
  for (Node* over = &task; --over->live == 0 && over->parent != kNoIndex;) {
    Node* parent = &run.tasks[over->parent];
    run.recorder.EndSpan(run.now(), *over);
    if (over->is_planned) {
      run.plan.BeginFollowers(run, *over);
    }
    run.tasks.FreeIfOver(*over);
    over = parent;
  }
}

}  // namespace

void EndTasks(Run& run) {
  std::string failed;
  std::exception_ptr failure;
  for (const Step& step : run.batch.steps) {
    if (step.end != StepEnd::kEnded) {
      continue;
    }
    Node& task = *step.task;
    const auto thrown = run.batch.thrown.find(task.index);
    if (thrown != run.batch.thrown.end()) {
      run.tasks.SetFailure(task, thrown->second.exception);
      if (!TellOfFailure(run, task, thrown->second) && !failure) {
        failure = thrown->second.exception;
        failed = Ancestry(run, task);
      }
    } else if (task.is_cancelled) {
      TellOfCancellation(run, task);
    }
    EndTask(run, task);
  }
  run.batch.thrown.clear();
  if (failure) {
    run.facilities.Settle(run.evaluations);
    run.has_failed = true;
    Fail("cannot go on at t = " + ToText(run.now()) + ": task '" + failed +
             "' failed: ",
         failure);
  }
}

}  // namespace orrery::process::internal
