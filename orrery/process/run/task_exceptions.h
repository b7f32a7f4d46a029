#pragma once

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "orrery/process/run/batch.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/task_table.h"

namespace orrery::process::internal {

/// The exceptions on their way to tasks, each of which is thrown where a task
/// waits.
class TaskExceptions {
 public:
  explicit TaskExceptions(TaskTable& tasks) noexcept : tasks_(tasks) {}

  /// Ends the wait of the task with `exception`, in the next batch.
  /// @returns false if another exception or a cancellation has ended it.
  bool Deliver(Node& task, std::exception_ptr exception);

  /// Throws `exception` where the task waits, in the next batch. If it is told
  /// of another exception then, it is thrown at the next wait.
  void Throw(Node& task, std::exception_ptr exception);

  /// Withdraws an exception that is still to be thrown after another one.
  void Unthrow(const std::exception_ptr& exception);

  /// Throws the exception that was delivered to the task.
  [[noreturn]] void Rethrow(Node& task);

  /// The exception that was delivered to the task; null if there is none.
  [[nodiscard]] std::exception_ptr DeliveredTo(const Node& task) const;

  /// Delivers, in a replay, an exception (or null) once more.
  void DeliverAgain(Node& task, const std::exception_ptr& exception);

  /// Interrupts a task that is yet to begin: after its first step.
  void InterruptLater(const Node& task, std::exception_ptr reason) {
    interrupts_[task.index].push_back(std::move(reason));
  }

  void DropInterrupts(const Node& task) { interrupts_.erase(task.index); }

  /// The task begins: interrupts that came before its first step take effect
  /// where that ends.
  void Begin(Node& task);

  /// True if interrupts come before those of the batch at work.
  [[nodiscard]] bool has_deferred() const noexcept {
    return !deferred_.empty();
  }

  /// Takes these.
  [[nodiscard]] std::vector<Operation> TakeDeferred() {
    return std::exchange(deferred_, {});
  }

  [[nodiscard]] const InterruptsByTask& interrupts() const noexcept {
    return interrupts_;
  }

  void Restore(InterruptsByTask interrupts);

 private:
  TaskTable& tasks_;
  ExceptionsByTask delivered_;
  InterruptsByTask interrupts_;  // For tasks yet to begin.
  std::vector<Operation> deferred_;
};

}  // namespace orrery::process::internal
