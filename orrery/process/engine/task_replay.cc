#include "orrery/process/run/task_replay.h"

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/process/engine/run_step.h"
#include "orrery/process/engine/saved_run.h"
#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/run.h"

namespace orrery::process::internal {

void RefuseReplay(const Run& run, const Node& task) {
  throw Error(ErrorCode::kInvalidModel,
              "cannot restore a snapshot: done again with what it had read, "
              "task '" +
                  Ancestry(run, task) +
                  "' does something else; keep in cells what changes, and "
                  "draw random numbers from Model::Random");
}

const std::any& TaskReplay::NextValue() {
  if (next_value_ == log_->values.size()) {
    throw Error(ErrorCode::kInvalidModel, "it reads more than it had read");
  }
  return log_->values[next_value_++];
}

Node& TaskReplay::Adopt(Run& run, const NewTask& task) {
  hash_.Add(task.name);
  const auto found = adoptable_.find(task.key);
  if (found == adoptable_.end()) {
    task.frame.destroy();  // It was over before the snapshot.
    Node& node = run.nodes().New();
    node.parent = run.tasks.root().index;
    node.name = task.name;
    node.live = 0;
    node.state = TaskState::kEnded;
    run.logs.Set(node.index, nullptr);
    return node;
  }
  Node& node = run.tasks[found->second];
  adoptable_.erase(found);
  node.state = TaskState::kRunning;  // It may be over later, but is not yet.
  node.frame = task.frame;
  node.name = task.name;
  adopted_.push_back(node.index);
  return node;
}

void TaskReplay::ReplayAll(Run& run, const SavedRun& saved) {
  TakeLogs(run, saved);
  adopted_.clear();
  const Node& root = run.tasks.root();
  adopted_.push_back(root.index);
  adoptable_.erase(root.key);
  for (const auto& [index, recipe] : run.logs.recipes()) {
    Node& node = run.tasks[index];
    node.frame = recipe(run);
    adopted_.push_back(index);
    adoptable_.erase(node.key);
  }
  // NOLINTNEXTLINE(modernize-loop-convert): more are adopted meanwhile.
  for (std::size_t i = 0; i < adopted_.size(); ++i) {
    ReplayTask(run, saved.tasks.nodes.nodes[adopted_[i]]);
  }
  if (!adoptable_.empty()) {
    RefuseReplay(run, run.tasks[adoptable_.begin()->second]);
  }
  run.nodes().OrderFree(saved.tasks.nodes);
}

// Takes the logs up to the snapshot.
void TaskReplay::TakeLogs(Run& run, const SavedRun& saved) {
  adoptable_.clear();
  for (const SavedRun::Task& task : saved.logs) {
    adoptable_[run.tasks[task.index].key] = task.index;
    const auto& [steps, values, hash] = task.end;
    auto log = std::make_shared<TaskLog>();
    log->steps.assign(
        task.log->steps.begin(),
        task.log->steps.begin() + static_cast<std::ptrdiff_t>(steps));
    log->values.assign(
        task.log->values.begin(),
        task.log->values.begin() + static_cast<std::ptrdiff_t>(values));
    log->hash = hash;
    run.logs.Set(task.index, std::move(log));
  }
}

void TaskReplay::ReplayTask(Run& run, const Node& saved) {
  Node& node = run.tasks[saved.index];
  const bool is_same = RepeatSteps(run, node);
  const bool was_over = saved.state == TaskState::kEnded;
  const std::coroutine_handle<> frame = node.frame;
  Wait* const wait = node.wait;
  const char* const name = node.name;
  const std::uint32_t handles = node.handles;
  node = saved;
  node.frame = frame;
  node.wait = was_over ? nullptr : wait;
  node.name = name;
  node.handles = handles;
  if (saved.is_cancelled && was_over) {
    TaskTable::EndFrame(node);
  }
  if (was_over) {
    run.tasks.FreeIfOver(node);
  }
  log_ = nullptr;
  run.step.Leave();
  run.batch.thrown.clear();
  if (!is_same && !saved.is_cancelled) {
    RefuseReplay(run, saved);
  }
}

// @returns true if the task has done the same as before.
bool TaskReplay::RepeatSteps(Run& run, Node& node) {
  const TaskLog& log = *run.logs.of(node.index);
  log_ = &log;
  next_value_ = 0;
  hash_ = {};
  node.names = {};
  node.is_cancelled = false;
  bool is_over = false;
  for (const TaskLog::Step& step : log.steps) {
    if (is_over) {
      break;
    }
    run.calendar.SetNow(step.time);
    run.exceptions.DeliverAgain(node, step.delivered);
    node.wait = nullptr;
    run.batch.steps.assign(1, {.task = &node});
    RunStep(run, 0);
    is_over = run.batch.steps[0].end == StepEnd::kEnded;
  }
  return next_value_ == log.values.size() && hash_ == log.hash;
}

}  // namespace orrery::process::internal
