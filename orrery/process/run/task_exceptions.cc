#include "orrery/process/run/task_exceptions.h"

#include <exception>
#include <utility>
#include <vector>

namespace orrery::process::internal {

bool TaskExceptions::Deliver(Node& task, std::exception_ptr exception) {
  if (task.has_exception || task.is_cancelled) {
    return false;
  }
  task.has_exception = true;
  delivered_[task.index] = std::move(exception);
  if (task.state == TaskState::kCalling) {
    ++task.calls;
  }
  tasks_.WakeNext(task);
  return true;
}

void TaskExceptions::Throw(Node& task, std::exception_ptr exception) {
  if (!task.has_exception) {
    Deliver(task, std::move(exception));
    return;
  }
  ++task.handles;
  deferred_.push_back(
      {.step = 0, .target = task.index, .reason = std::move(exception)});
}

void TaskExceptions::Unthrow(const std::exception_ptr& exception) {
  std::erase_if(deferred_, [&](const Operation& operation) {
    if (operation.reason != exception) {
      return false;
    }
    Node& target = tasks_[operation.target];
    --target.handles;
    tasks_.FreeIfOver(target);
    return true;
  });
}

void TaskExceptions::Rethrow(Node& task) {
  const auto found = delivered_.find(task.index);
  const std::exception_ptr exception = std::move(found->second);
  delivered_.erase(found);
  task.has_exception = false;
  std::rethrow_exception(exception);
}

std::exception_ptr TaskExceptions::DeliveredTo(const Node& task) const {
  return task.has_exception ? delivered_.at(task.index) : nullptr;
}

void TaskExceptions::DeliverAgain(Node& task,
                                  const std::exception_ptr& exception) {
  task.has_exception = exception != nullptr;
  if (task.has_exception) {
    delivered_[task.index] = exception;
  }
}

void TaskExceptions::Begin(Node& task) {
  const auto found = interrupts_.find(task.index);
  if (found == interrupts_.end()) {
    return;
  }
  for (std::exception_ptr& reason : found->second) {
    ++task.handles;
    deferred_.push_back(
        {.step = 0, .target = task.index, .reason = std::move(reason)});
  }
  interrupts_.erase(found);
}

void TaskExceptions::Restore(InterruptsByTask interrupts) {
  interrupts_ = std::move(interrupts);
  delivered_.clear();
  deferred_.clear();
}

}  // namespace orrery::process::internal
