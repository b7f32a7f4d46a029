#include "orrery/process/run/task_logs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace orrery::process::internal {

void TaskLogs::AddStep(std::uint32_t task,
                       Duration time,
                       std::exception_ptr delivered) {
  logs_[task]->steps.push_back(
      {.time = time, .delivered = std::move(delivered)});
}

void TaskLogs::Restore(RecipesByTask recipes) {
  logs_.clear();
  recipes_ = std::move(recipes);
}

void TaskLogs::Set(std::uint32_t task, std::shared_ptr<TaskLog> log) {
  logs_.resize(std::max<std::size_t>(logs_.size(), task + 1));
  logs_[task] = std::move(log);
}

}  // namespace orrery::process::internal
