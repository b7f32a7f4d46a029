#include "orrery/process/tasks/task.h"

#include <utility>

#include "orrery/base/error.h"

namespace orrery::process::internal {

void CheckIsGiven(bool has_task) {
  if (!has_task) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run a task: it was given to a run before; call its "
                "coroutine again to have another");
  }
}

TaskReference::TaskReference(const TaskReference& other) noexcept
    : pool_(other.pool_), node_(other.node_) {
  if (pool_ != nullptr) {
    ++pool_->uses;
    ++node_->handles;
  }
}

TaskReference::TaskReference(TaskReference&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      node_(std::exchange(other.node_, nullptr)) {}

TaskReference& TaskReference::operator=(const TaskReference& other) noexcept {
  return *this = TaskReference(other);
}

TaskReference& TaskReference::operator=(TaskReference&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(node_, other.node_);
  return *this;
}

Run& TaskReference::run(const char* purpose) const {
  if (node_ == nullptr || pool_->run == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) + ": the handle " +
                    (node_ == nullptr ? "refers to none; Spawn gives one"
                                      : "is one of a run that is over"));
  }
  return *pool_->run;
}

}  // namespace orrery::process::internal
