#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/task_log.h"

namespace orrery::process::internal {

using RecipesByTask = std::unordered_map<std::uint32_t, Recipe>;

/// The logs of the tasks of a run that can be saved, and the recipes of those
/// that no task spawned. Other runs keep none.
class TaskLogs {
 public:
  explicit TaskLogs(bool are_kept) noexcept : are_kept_(are_kept) {}

  [[nodiscard]] bool are_kept() const noexcept { return are_kept_; }

  /// Begins the log of a new task.
  void Begin(std::uint32_t task) {
    if (are_kept_) {
      Set(task, std::make_shared<TaskLog>());
    }
  }

  /// Logs that a step of the task begins.
  /// @param delivered the exception that is thrown where it waits; or null.
  void AddStep(std::uint32_t task, Duration time, std::exception_ptr delivered);

  void SetRecipe(std::uint32_t task, Recipe recipe) {
    if (are_kept_) {
      recipes_[task] = std::move(recipe);
    }
  }

  /// Drops all about a task that is over.
  void Forget(std::uint32_t task) {
    if (are_kept_) {
      logs_[task].reset();
      recipes_.erase(task);
    }
  }

  [[nodiscard]] const std::shared_ptr<TaskLog>& of(std::uint32_t task) const {
    return logs_[task];
  }

  [[nodiscard]] const RecipesByTask& recipes() const noexcept {
    return recipes_;
  }

  /// For a run that is restored: drops all logs, and takes the recipes.
  void Restore(RecipesByTask recipes);

  /// Sets the log of a task. Without a log: makes room for one.
  void Set(std::uint32_t task, std::shared_ptr<TaskLog> log);

 private:
  bool are_kept_;
  std::vector<std::shared_ptr<TaskLog>> logs_;  // By task.
  RecipesByTask recipes_;
};

}  // namespace orrery::process::internal
