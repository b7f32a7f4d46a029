#include "orrery/process/run/task_table.h"

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "orrery/process/tasks/task.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

TaskTable::TaskTable(Run& run, Calendar& calendar, TaskLogs& logs)
    : run_(run), calendar_(calendar), logs_(logs), pool_(new NodePool()) {
  pool_->run = &run_;
  calendar_.SetTasks(*pool_);
  Node& root = pool_->New();
  root.state = TaskState::kDelayed;  // Until the run starts.
  logs_.Begin(root.index);
}

Node& TaskTable::Add(Node& parent, const NewTask& task) {
  Node& added = pool_->New();
  added.frame = task.frame;
  added.name = task.name;
  added.parent = parent.index;
  added.key = task.key;
  added.state = TaskState::kReady;
  logs_.Begin(added.index);
  ++parent.live;
  return added;
}

void TaskTable::CallOthers() {
  for (Node* task : deciding_) {
    const std::uint32_t others =
        task->has_exception || task->is_cancelled ? 0 : task->wait->NumReady();
    if (others > 0) {
      task->state = TaskState::kCalling;
      task->blocked = others;
    }
  }
  deciding_.clear();
  std::erase_if(ready_, [](const Node* task) {
    return task->state == TaskState::kCalling;
  });
}

void TaskTable::AddJoiner(Node& joined, const Node& task) {
  joined.has_joiners = true;
  joiners_[joined.index].push_back(task.index);
}

void TaskTable::RemoveJoiner(Node& joined, const Node& task) {
  if (joined.has_joiners) {
    std::erase(joiners_[joined.index], task.index);
  }
}

std::vector<std::uint32_t> TaskTable::TakeJoiners(Node& task) {
  if (!task.has_joiners) {
    return {};
  }
  task.has_joiners = false;
  const auto found = joiners_.find(task.index);
  std::vector<std::uint32_t> joiners = std::move(found->second);
  joiners_.erase(found);
  return joiners;
}

void TaskTable::SetFailure(Node& task, const std::exception_ptr& failure) {
  task.has_failed = true;
  if (task.handles > 0) {
    failures_[task.index] = failure;
  }
}

std::exception_ptr TaskTable::FailureOf(const Node& task) const {
  if (task.has_failed) {
    return failures_.at(task.index);
  }
  return task.is_cancelled ? std::make_exception_ptr(Cancelled()) : nullptr;
}

void TaskTable::FreeIfOver(Node& task) {
  if (task.state == TaskState::kEnded && task.handles == 0) {
    EndFrame(task);
    if (task.has_failed) {
      failures_.erase(task.index);  // No handle is left to ask for it.
    }
    if (task.live == 0 && task.parent != kNoIndex) {
      logs_.Forget(task.index);
      pool_->Free(task);
    }
  }
}

void TaskTable::EndAll() noexcept {
  pool_->run = nullptr;
  for (std::uint32_t i = 0; i < pool_->size(); ++i) {
    EndFrame((*pool_)[i]);
  }
  ready_.clear();
  deciding_.clear();
}

TaskTable::Saved TaskTable::Save() const {
  return {.nodes = pool_->table(), .joiners = joiners_, .failures = failures_};
}

void TaskTable::Restore(const Saved& saved) {
  joiners_ = saved.joiners;
  failures_ = saved.failures;
  pool_.reset(new NodePool(saved.nodes));
  pool_->run = &run_;
  calendar_.SetTasks(*pool_);
}

}  // namespace orrery::process::internal
