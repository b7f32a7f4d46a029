#include "orrery/process/engine/waiting_tasks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

namespace {

// The task that waits in a call for `node`; null if none does.
const Node* WaitingCaller(const Node& node, const NodePool& nodes) {
  if (node.caller == kNoIndex) {
    return nullptr;
  }
  const Node& caller = nodes[node.caller];
  return caller.state == TaskState::kCalling && caller.calls == node.call
             ? &caller
             : nullptr;
}

// True for a task that waits for one part of AnyOf or AllOf.
bool IsPartOfWait(const Node& node) {
  return node.caller != kNoIndex && *node.name == '\0';
}

// By task: true if it waits for one of several things, one of which has a time.
std::vector<bool> FindTimedChoices(const NodePool& nodes) {
  std::vector<bool> has_time(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const Node* at = &nodes[i];
    if (at->state != TaskState::kDelayed && at->stamp == 0) {
      continue;
    }
    at = WaitingCaller(*at, nodes);
    for (; at != nullptr && at->awaits_first; at = WaitingCaller(*at, nodes)) {
      has_time[at->index] = true;
    }
  }
  return has_time;
}

// True if `node` is one of `tasks`, or a part of the wait of one of them.
bool IsWithin(const std::vector<bool>& tasks,
              const Node& node,
              const NodePool& nodes) {
  const Node* at = &node;
  while (at != nullptr && !tasks[at->index]) {
    at = WaitingCaller(*at, nodes);
  }
  return at != nullptr;
}

}  // namespace

std::vector<WaitingTask> WaitingTasks(const Run& run) {
  const NodePool& nodes = run.tasks.pool();
  const std::vector<bool> has_time = FindTimedChoices(nodes);
  std::vector<WaitingTask> waiting;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (!WaitsWithoutTime(node) || IsPartOfWait(node) ||
        IsWithin(has_time, node, nodes)) {
      continue;
    }
    std::string awaits = node.wait->Describe();
    if (!awaits.empty()) {
      waiting.push_back(
          {.task = Ancestry(run, node), .awaits = std::move(awaits)});
    }
  }
  std::ranges::sort(waiting, {}, [](const WaitingTask& task) {
    return std::tie(task.task, task.awaits);
  });
  return waiting;
}

}  // namespace orrery::process::internal
