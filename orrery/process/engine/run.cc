#include "orrery/process/run/run.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/process/model/cell_core.h"
#include "orrery/process/model/member.h"
#include "orrery/process/model/model.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/model/stateful.h"
#include "orrery/process/plan/agenda.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/tasks/condition_wait.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

namespace {

using orrery::ToText;

// The models below `root`, owners before their parts.
template <typename F>
void ForEachModel(Model& root, const std::vector<Model*> Model::*parts, F f) {
  std::vector<Model*> left = {&root};
  while (!left.empty()) {
    Model& model = *left.back();
    left.pop_back();
    f(model);
    const std::vector<Model*>& below = model.*parts;
    left.insert(left.end(), below.rbegin(), below.rend());
  }
}

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

void CheckIsPositive(const Model& root,
                     std::string_view name,
                     std::int64_t value) {
  if (value < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run model '" + root.Path() + "' with a " +
                    std::string(name) + " of " + std::to_string(value) +
                    "; give 1 or more");
  }
}

const Options& Checked(const Model& root, const Options& options) {
  CheckIsPositive(root, "max_microsteps", options.max_microsteps);
  CheckIsPositive(root, "max_instants", options.max_instants);
  CheckIsPositive(root, "max_operations", options.max_operations);
  CheckIsPositive(root, "max_spawned", options.max_spawned);
  return options;
}

}  // namespace

Run::Run(Model& root,
         const Options& options,
         std::shared_ptr<const Agenda> agenda)
    : root_(root),
      options_(Checked(root, options)),
      nodes_(new NodePool()),
      last_due_(options.start),
      end_of_time_(Duration::max() + std::min(options.start, Duration(0))),
      now_(options.start),
      horizon_(Duration::max()),
      agenda_(std::move(agenda)),
      recording_(std::make_unique<Recording>()) {
  nodes_->run = this;
  ForEachModel(root, &Model::parts_, [](Model& model) {
    if (model.run_ != nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot run model '" + model.Path() +
                      "': it is in another run; make another model of its "
                      "class");
    }
  });
  ForEachModel(root, &Model::parts_, [this](Model& model) {
    model.run_ = this;
    model.path_key_ = StableHash(model.Path());
    for (Member* member : model.members_) {
      member->Bind(*this);
    }
  });
}

Run::~Run() {
  nodes_->run = nullptr;
  for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
    EndFrame((*nodes_)[i]);
  }
  Unbind();
}

void Run::AddSource(EventSource& source) {
  sources_.push_back(&source);
}

void Run::AddMember(Stateful& member) {
  members_.push_back(&member);
}

void Run::Unbind() {
  ForEachModel(root_, &Model::parts_, [](Model& model) {
    model.run_ = nullptr;
    for (Member* member : model.members_) {
      member->Unbind();
    }
  });
}

void Run::CheckIsIdle(std::string_view purpose) const {
  if (is_running_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) +
                    ": the run is at work; do it between its steps");
  }
}

void Run::CheckGoesOn() const {
  if (has_failed_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot go on: the run failed at t = " + ToText(now_) +
                    "; make another");
  }
}

void Run::CheckMaySpawnAt(const char* name, Duration at) const {
  CheckIsIdle("spawn a task");
  CheckGoesOn();
  if (at < now_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot spawn task '" + std::string(name) + "' at " +
                    ToText(at) + ": it is " + ToText(now_) + " already");
  }
}

Node& Run::SpawnAt(std::coroutine_handle<> frame,
                   const char* name,
                   Duration at) {
  const std::uint64_t hash = StableHash(name);
  Node& node = NewFromOutside({.frame = frame,
                               .name = name,
                               .key = MixKeys(MixKeys(~options_.seed, hash),
                                              names_from_outside_.Next(hash))});
  Schedule(node, at);
  return node;
}

Node& Run::SpawnAt(const Recipe& recipe, const char* name, Duration at) {
  Node& node = SpawnAt(recipe(*this), name, at);
  if (options_.snapshots) {
    recipes_[node.index] = recipe;
  }
  return node;
}

// Makes a task that waits for its time, which the caller sets.
Node& Run::NewFromOutside(const NewTask& task) {
  Node& node = NewChild(RootNode(), task);
  node.is_from_outside = true;
  node.is_to_begin = true;
  node.state = TaskState::kDelayed;
  return node;
}

void Run::NewLog(const Node& node) {
  logs_.resize(nodes_->size());
  logs_[node.index] = std::make_shared<TaskLog>();
}

void Run::LogStep(const Node& node) {
  logs_[node.index]->steps.push_back(
      {.time = now_,
       .delivered = node.has_exception ? delivered_[node.index] : nullptr});
}

std::vector<WaitingTask> Run::Waiting() const {
  const std::vector<bool> has_time = FindTimedChoices(*nodes_);
  std::vector<WaitingTask> waiting;
  for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
    const Node& node = (*nodes_)[i];
    if (!WaitsWithoutTime(node) || IsPartOfWait(node) ||
        IsWithin(has_time, node, *nodes_)) {
      continue;
    }
    std::string awaits = node.wait->Describe();
    if (!awaits.empty()) {
      waiting.push_back({.task = Ancestry(node), .awaits = std::move(awaits)});
    }
  }
  std::ranges::sort(waiting, {}, [](const WaitingTask& task) {
    return std::tie(task.task, task.awaits);
  });
  return waiting;
}

void Run::Start() {
  has_started_ = true;
  Node& root = RootNode();
  root.state = TaskState::kReady;
  next_.insert(next_.begin(), &root);
}

void Run::StartModels() {
  try {
    ForEachModel(root_, &Model::parts_, [](Model& model) { model.Start(); });
  } catch (...) {
    OnException(std::current_exception());
  }
}

Node& Run::RootNode() {
  if (root_node_ == kNoIndex) {
    Node& root = nodes_->New();
    root.name = root_.name().c_str();
    root.key = options_.seed;
    root.state = TaskState::kDelayed;  // Until the run starts.
    root_node_ = root.index;
    if (options_.snapshots) {
      NewLog(root);
    }
  }
  return (*nodes_)[root_node_];
}

Node& Run::NewChild(Node& parent, const NewTask& task) {
  Node& child = nodes_->New();
  child.frame = task.frame;
  child.name = task.name;
  child.parent = parent.index;
  child.key = task.key;
  child.state = TaskState::kReady;
  if (options_.snapshots) {
    NewLog(child);
  }
  if (logs_reads()) {
    deeds().Add(task.name);
  }
  ++parent.live;
  ++statistics_.spawned;
  return child;
}

Node* Run::CallerOf(const Node& node) {
  if (node.caller == kNoIndex) {
    return nullptr;
  }
  Node& caller = (*nodes_)[node.caller];
  return caller.calls == node.call ? &caller : nullptr;
}

}  // namespace orrery::process::internal
