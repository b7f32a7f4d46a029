#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/process/run/calendar.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/task_logs.h"

namespace orrery::process::internal {

using TasksByTask =
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

/// The tasks of a run: their records and coroutines, who waits for whose end,
/// and those that go on in the next batch.
class TaskTable {
 public:
  /// A copy of it in a snapshot, without coroutines.
  struct Saved {
    NodeTable nodes;
    TasksByTask joiners;
    ExceptionsByTask failures;
  };

  /// Makes the root, which starts the models and spawns their first tasks.
  TaskTable(Run& run, Calendar& calendar, TaskLogs& logs);

  [[nodiscard]] NodePool& pool() noexcept { return *pool_; }

  [[nodiscard]] const NodePool& pool() const noexcept { return *pool_; }

  [[nodiscard]] Node& operator[](std::uint32_t task) { return (*pool_)[task]; }

  [[nodiscard]] Node& root() { return (*pool_)[kRoot]; }

  /// Adds a task that is due in the batch at work.
  Node& Add(Node& parent, const NewTask& task);

  /// The task that waits in a call for this one; null if none does any more.
  [[nodiscard]] Node* CallerOf(const Node& task) {
    if (task.caller == kNoIndex) {
      return nullptr;
    }
    Node& caller = (*pool_)[task.caller];
    return caller.calls == task.call ? &caller : nullptr;
  }

  // --- Going on.

  /// Lets the task go on in the next batch.
  void WakeNext(Node& task) {
    if (task.state != TaskState::kReady) {
      calendar_.Cancel(task);
      task.state = TaskState::kReady;
      ready_.push_back(&task);
    }
  }

  /// The same if it waits.
  void WakeNow(Node& task) {
    if (task.state == TaskState::kWaiting) {
      WakeNext(task);
    }
  }

  /// Schedules the wait of the task `delay` from now; Duration::max() is never.
  /// Replaces the time at which it was due.
  void WakeLater(Node& task, Duration delay) {
    calendar_.Cancel(task);
    calendar_.ScheduleIn(task, delay);
  }

  /// Tasks of the next batch.
  [[nodiscard]] std::vector<Node*>& ready() noexcept { return ready_; }

  [[nodiscard]] const std::vector<Node*>& ready() const noexcept {
    return ready_;
  }

  /// Notes that the first of several things has come about for which a task in
  /// AnyOf waits.
  void NoteFirst(Node& task) { deciding_.push_back(&task); }

  /// A task that waits for the first of several things is told of all that come
  /// about in the same batch. Their tasks go on in this batch, and end in it.
  void LetOthersEnd() {
    if (!deciding_.empty()) {
      CallOthers();
    }
  }

  // --- Waits for the end of a task.

  void AddJoiner(Node& joined, const Node& task);
  void RemoveJoiner(Node& joined, const Node& task);

  /// Takes the tasks that wait for the end of this one.
  [[nodiscard]] std::vector<std::uint32_t> TakeJoiners(Node& task);

  // --- Ends.

  /// Notes the exception with which a task has ended.
  void SetFailure(Node& task, const std::exception_ptr& failure);

  /// The exception with which a task ended; null if it has a result.
  [[nodiscard]] std::exception_ptr FailureOf(const Node& task) const;

  static void EndFrame(Node& task) noexcept {
    if (task.frame) {
      std::exchange(task.frame, nullptr).destroy();
    }
  }

  /// Is called when the last handle to a task has gone.
  void OnUnused(Node& task) {
    if (task.state == TaskState::kEnded) {
      FreeIfOver(task);
    }
  }

  /// Frees the coroutine of a task that has ended if no handle refers to it,
  /// and its record if all that it spawned is over, too.
  void FreeIfOver(Node& task);

  /// Ends all coroutines. The run is over for these.
  void EndAll() noexcept;

  // --- Snapshots.

  [[nodiscard]] Saved Save() const;

  /// Replaces all tasks, which were ended, by those of a snapshot.
  void Restore(const Saved& saved);

 private:
  static constexpr std::uint32_t kRoot = 0;

  void CallOthers();

  Run& run_;
  Calendar& calendar_;
  TaskLogs& logs_;
  std::unique_ptr<NodePool, ReleaseNodePool> pool_;
  std::vector<Node*> ready_;
  std::vector<Node*> deciding_;
  TasksByTask joiners_;
  ExceptionsByTask failures_;  // Only if handles refer to the task.
};

}  // namespace orrery::process::internal
