#include "orrery/process/tasks/joint.h"

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/process/run/run.h"

namespace orrery::process::internal {

std::string JointWait::Describe() const {
  std::string list;
  int count = 0;
  for (const TaskReference& task : tasks_) {
    const std::string part =
        task.node() != nullptr && WaitsWithoutTime(*task.node())
            ? task.node()->wait->Describe()
            : "";
    if (!part.empty()) {
      list += (list.empty() ? "" : ", ") + part;
      ++count;
    }
  }
  return count < 2 ? list
                   : (is_for_all_ ? "all of (" : "one of (") + list + ")";
}

std::uint32_t JointWait::NumReady() const {
  return static_cast<std::uint32_t>(
      std::ranges::count(tasks_, TaskState::kReady, [](const auto& task) {
        return task.node()->state;
      }));
}

bool JointWait::IsFor(const Node& task) const {
  return std::ranges::find(tasks_, &task, &TaskReference::node) != tasks_.end();
}

void JointWait::CheckIsNew() {
  if (std::exchange(is_awaited_, true)) {
    const std::string name = is_for_all_ ? "AllOf" : "AnyOf";
    throw Error(ErrorCode::kInvalidArgument,
                "cannot await one " + name +
                    " twice: what it was made of was used up the first time; "
                    "make another where you wait again, as in co_await " +
                    name + "(...)");
  }
  run_->step.CheckMaySpawn();
}

void JointWait::Begin(std::span<const AwaitedPart> parts,
                      std::span<Node*> nodes,
                      std::span<TaskReference> tasks) {
  run_->step.CallAll(parts,
                     is_for_all_ ? static_cast<std::uint32_t>(parts.size()) : 1,
                     *this,
                     nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    tasks[i] = TaskReference(run_->nodes(), *nodes[i]);
  }
  tasks_ = tasks;
}

void JointWait::End() {
  run_->step.LeaveCall();
  StopWaiting();
  tasks_ = {};
  run_->step.ThrowDelivered();
}

void JointWait::StopWaiting() {
  for (const TaskReference& task : tasks_) {
    Run* run = task.run_if_any();
    if (run != nullptr && !task.is_over()) {
      run->step.CancelCalled(*task.node());
    }
  }
}

}  // namespace orrery::process::internal
