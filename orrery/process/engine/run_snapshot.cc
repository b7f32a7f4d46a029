#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/engine/saved_run.h"
#include "orrery/process/model/model.h"
#include "orrery/process/model/stateful.h"
#include "orrery/process/run/event_source.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/condition_wait.h"
#include "orrery/process/tasks/wait.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process::internal {

using orrery::ToText;

void Run::CheckCanSave() const {
  const std::string cannot = "cannot save the run: ";
  if (!options_.snapshots) {
    throw Error(ErrorCode::kInvalidArgument,
                cannot +
                    "it keeps no logs of its tasks; set "
                    "Options::snapshots");
  }
  if (has_started_ && (has_work() || !changed_resources_.empty())) {
    throw Error(ErrorCode::kInvalidArgument,
                cannot + "something was done to it from outside at t = " +
                    ToText(now_) +
                    " that it has not yet dealt with; let it run until then");
  }
  for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
    const Node& node = (*nodes_)[i];
    if (node.state == TaskState::kFree) {
      continue;
    }
    if (logs_[i]->has_unique_result) {
      throw Error(ErrorCode::kUnsupported,
                  cannot + "task '" + Ancestry(node) +
                      "' has been given what cannot be copied; let tasks "
                      "return values");
    }
    if (node.is_from_outside && !recipes_.contains(i)) {
      throw Error(ErrorCode::kInvalidArgument,
                  cannot + "task '" + Ancestry(node) +
                      "' was made outside of it, and cannot be made again; "
                      "give Spawn a function that makes it");
    }
  }
}

std::shared_ptr<const SavedRun> Run::Save() const {
  CheckIsIdle("save the run");
  CheckGoesOn();
  CheckCanSave();
  auto saved = std::make_shared<SavedRun>();
  saved->run = this;
  saved->now = now_;
  saved->horizon = horizon_;
  saved->last_due = last_due_;
  saved->has_started = has_started_;
  saved->has_begun_plan = has_begun_plan_;
  saved->root_node = root_node_;
  saved->next_stamp = next_stamp_;
  saved->stale = stale_;
  saved->names_from_outside = names_from_outside_;
  saved->next_order = next_order_;
  saved->list = list_;
  saved->nodes = nodes_->table();
  for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
    const Node& node = (*nodes_)[i];
    if (node.state != TaskState::kFree) {
      saved->tasks.push_back({.index = i,
                              .log = logs_[i],
                              .end = {.steps = logs_[i]->steps.size(),
                                      .values = logs_[i]->values.size(),
                                      .deeds = logs_[i]->deeds},
                              .wait = node.state == TaskState::kWaiting
                                          ? node.wait->Save()
                                          : SavedWait()});
    }
  }
  for (const ConditionWait* condition : open_) {
    saved->open.push_back(condition->task().index);
  }
  for (const EventSource* source : sources_) {
    saved->sources.push_back(source->Save());
  }
  for (const Stateful* member : members_) {
    saved->members.push_back(member->Save());
    if (saved->members.back() == nullptr) {
      throw Error(ErrorCode::kUnsupported,
                  "cannot save the run: what '" + member->Path() +
                      "' holds cannot be copied; let it hold values");
    }
  }
  for (const ResourceEntry& resource : resources_) {
    saved->resource_stamps.push_back(resource.stamp);
  }
  saved->joiners = joiners_;
  saved->failures = failures_;
  saved->interrupts = interrupts_;
  saved->recipes = recipes_;
  saved->agenda = agenda_;
  saved->planned = planned_;
  saved->finished = finished_;
  saved->recording = *recording_;
  saved->logged_effects = logged_effects_;
  saved->spans_of = spans_of_;
  saved->statistics = statistics_;
  saved->warnings = warnings_;
  return saved;
}

void Run::Restore(const SavedRun& saved) {
  CheckIsIdle("restore a snapshot");
  if (saved.run != this) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot restore a snapshot: it is one of another run");
  }
  DropTasks();
  now_ = saved.now;
  horizon_ = saved.horizon;
  last_due_ = saved.last_due;
  has_started_ = saved.has_started;
  has_begun_plan_ = saved.has_begun_plan;
  has_failed_ = false;
  root_node_ = saved.root_node;
  next_stamp_ = saved.next_stamp;
  stale_ = saved.stale;
  names_from_outside_ = saved.names_from_outside;
  next_order_ = saved.next_order;
  list_ = saved.list;
  logged_effects_ = saved.logged_effects;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    sources_[i]->Restore(saved.sources[i].get());
  }
  joiners_ = saved.joiners;
  failures_ = saved.failures;
  interrupts_ = saved.interrupts;
  recipes_ = saved.recipes;
  agenda_ = saved.agenda;
  planned_ = saved.planned;
  finished_ = saved.finished;
  *recording_ = saved.recording;
  spans_of_ = saved.spans_of;
  nodes_.reset(new NodePool(saved.nodes));
  nodes_->run = this;
  has_failed_ = true;  // In case a replay throws.
  for (Stateful* member : members_) {
    member->Reset();
  }
  ReplayTasks(saved);
  now_ = saved.now;
  RestoreWaits(saved);
  has_failed_ = false;
  statistics_ = saved.statistics;
  warnings_ = saved.warnings;
  SampleAgain(saved);
}

// Drops the present tasks, as at the end of the run.
void Run::DropTasks() {
  NodePool& nodes = *nodes_;
  nodes.run = nullptr;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    EndFrame(nodes[i]);
  }
  open_.clear();
  changed_.clear();
  changed_resources_.clear();
  for (const ResourceEntry& resource : resources_) {
    resource.resource->is_changed = false;
  }
  next_.clear();
  deciding_.clear();
  deferred_.clear();
  delivered_.clear();
  logs_.clear();
}

// Replays parents before the tasks they spawned, as they make the coroutines of
// these.
void Run::ReplayTasks(const SavedRun& saved) {
  std::unordered_map<std::uint64_t, std::uint32_t> by_key;
  logs_.resize(nodes_->size());
  for (const SavedRun::Task& task : saved.tasks) {
    Node& node = (*nodes_)[task.index];
    by_key[node.key] = task.index;
    auto log = std::make_shared<TaskLog>();
    log->steps.assign(
        task.log->steps.begin(),
        task.log->steps.begin() + static_cast<std::ptrdiff_t>(task.end.steps));
    log->values.assign(task.log->values.begin(),
                       task.log->values.begin() +
                           static_cast<std::ptrdiff_t>(task.end.values));
    log->deeds = task.end.deeds;
    logs_[task.index] = std::move(log);
  }
  adoptable_ = std::move(by_key);
  adopted_.clear();
  for (const auto& [index, recipe] : recipes_) {
    (*nodes_)[index].frame = recipe(*this);
    adopted_.push_back(index);
    adoptable_.erase((*nodes_)[index].key);
  }
  if (root_node_ != kNoIndex) {
    adopted_.insert(adopted_.begin(), root_node_);
    adoptable_.erase((*nodes_)[root_node_].key);
  }
  std::size_t num_done = 0;
  while (num_done < adopted_.size()) {  // A replay may adopt more.
    ReplayTask(saved.nodes.nodes[adopted_[num_done++]]);
  }
  if (!adoptable_.empty()) {
    RefuseReplay((*nodes_)[adoptable_.begin()->second]);
  }
  nodes_->OrderFree(saved.nodes);
}

void Run::ReplayTask(const Node& saved) {
  Node& node = (*nodes_)[saved.index];
  const TaskLog& log = *logs_[saved.index];
  Replay replay{.log = &log,
                .end = {.steps = log.steps.size(),
                        .values = log.values.size(),
                        .deeds = log.deeds}};
  node.names = {};
  node.is_cancelled = false;
  replay_ = &replay;
  bool is_over = false;
  for (const TaskLog::Step& step : log.steps) {
    if (is_over) {
      break;
    }
    now_ = step.time;
    node.has_exception = step.delivered != nullptr;
    if (node.has_exception) {
      delivered_[node.index] = step.delivered;
    }
    node.wait = nullptr;
    steps_.assign(1, {.task = &node});
    RunStep(0);
    is_over = steps_[0].end == StepEnd::kEnded;
  }
  const bool was_over = saved.state == TaskState::kEnded;
  const bool is_same = replay.next_value == replay.end.values &&
                       replay.deeds == replay.end.deeds;
  const std::coroutine_handle<> frame = node.frame;
  internal::Wait* const wait = node.wait;
  const char* const name = node.name;
  const std::uint32_t handles = node.handles;
  node = saved;
  node.frame = frame;
  node.wait = was_over ? nullptr : wait;
  node.name = name;
  node.handles = handles;
  if (saved.is_cancelled && was_over) {
    EndFrame(node);
  }
  if (was_over) {
    FreeIfOver(node);
  }
  replay_ = nullptr;
  current_ = nullptr;
  thrown_.clear();
  if (!is_same && !saved.is_cancelled) {
    RefuseReplay(saved);
  }
}

Node& Run::Adopt(const NewTask& task) {
  deeds().Add(task.name);
  const auto found = adoptable_.find(task.key);
  if (found == adoptable_.end()) {
    task.frame.destroy();  // It was over before the snapshot.
    Node& node = nodes_->New();
    node.parent = root_node_;
    node.name = task.name;
    node.live = 0;
    node.state = TaskState::kEnded;
    logs_.resize(nodes_->size());
    return node;
  }
  Node& node = (*nodes_)[found->second];
  adoptable_.erase(found);
  node.state = TaskState::kRunning;  // It may be over later, but is not yet.
  node.frame = task.frame;
  node.name = task.name;
  adopted_.push_back(node.index);
  return node;
}

Deeds& Run::deeds() const {
  return replay_ != nullptr ? replay_->deeds : logs_[current_->index]->deeds;
}

const std::any& Run::NextReplayed() {
  if (replay_->next_value == replay_->end.values) {
    throw Error(ErrorCode::kInvalidModel, "it reads more than it had read");
  }
  return replay_->log->values[replay_->next_value++];
}

void Run::RefuseReplay(const Node& node) const {
  throw Error(ErrorCode::kInvalidModel,
              "cannot restore a snapshot: done again with what it had read, "
              "task '" +
                  Ancestry(node) +
                  "' does something else; keep in cells what changes, and "
                  "draw random numbers from Model::Random");
}

// Restores facilities first, with their requests in order, as conditions may
// read them.
void Run::RestoreWaits(const SavedRun& saved) {
  std::vector<const SavedRun::Task*> requests;
  std::vector<const SavedRun::Task*> others;
  for (const SavedRun::Task& task : saved.tasks) {
    const Node& node = (*nodes_)[task.index];
    if (node.state == TaskState::kWaiting) {
      if (node.wait->Save().facility != task.wait.facility) {
        RefuseReplay(node);
      }
      (task.wait.facility != nullptr ? requests : others).push_back(&task);
    }
  }
  const auto restore = [this](const SavedRun::Task& task) {
    Node& node = (*nodes_)[task.index];
    node.wait->Restore(*this, node, task.wait);
  };
  std::ranges::sort(requests, {}, [](const SavedRun::Task* task) {
    return task->wait.order;
  });
  for (const SavedRun::Task* task : requests) {
    restore(*task);
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i]->Restore(saved.members[i].get());
  }
  for (const SavedRun::Task* task : others) {
    restore(*task);
  }
  for (const std::uint32_t index : saved.open) {
    const Node& node = (*nodes_)[index];
    auto* const condition = dynamic_cast<ConditionWait*>(node.wait);
    if (condition == nullptr) {
      RefuseReplay(node);
    }
    AddOpen(*condition);
  }
}

// Evaluates dependents again to find what they depend on; no cell changes.
void Run::SampleAgain(const SavedRun& saved) {
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    Resource& resource = *resources_[i].resource;
    if (resource.takes_samples && !options_.records.profiles) {
      continue;
    }
    if (!has_started_) {
      MarkChanged(resource);
      continue;
    }
    resource.Relink(*this);
    resources_[i].stamp = saved.resource_stamps[i];
  }
}

}  // namespace orrery::process::internal
