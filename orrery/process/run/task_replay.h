#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "orrery/process/run/node.h"
#include "orrery/process/run/task_log.h"

namespace orrery::process::internal {

struct SavedRun;

/// Brings the coroutines of a run that is restored to the points at which they
/// were: runs their steps once more, without effects, and gives them the values
/// of their logs.
class TaskReplay {
 public:
  [[nodiscard]] bool is_at_work() const noexcept { return log_ != nullptr; }

  /// The hash of what the task has done in its replay so far.
  [[nodiscard]] TaskLogHash& hash() noexcept { return hash_; }

  /// The next value that the task at work is told.
  /// @throws Error kInvalidModel if it reads more than it had read.
  [[nodiscard]] const std::any& NextValue();

  /// Takes a coroutine that the task at work has made as that of the task that
  /// it had spawned.
  Node& Adopt(Run& run, const NewTask& task);

  /// Replays all tasks: parents before the tasks they spawned, as they make the
  /// coroutines of these.
  /// @throws Error kInvalidModel, naming it, if a task does something else.
  void ReplayAll(Run& run, const SavedRun& saved);

 private:
  void TakeLogs(Run& run, const SavedRun& saved);
  void ReplayTask(Run& run, const Node& saved);
  [[nodiscard]] bool RepeatSteps(Run& run, Node& node);

  const TaskLog* log_ = nullptr;  // Log of the task at work.
  std::size_t next_value_ = 0;
  TaskLogHash hash_;
  // Tasks without a coroutine, by key.
  std::unordered_map<std::uint64_t, std::uint32_t> adoptable_;
  std::vector<std::uint32_t> adopted_;
};

/// Says that a replayed task does something else than before.
/// @throws Error kInvalidModel always.
[[noreturn]] void RefuseReplay(const Run& run, const Node& task);

}  // namespace orrery::process::internal
