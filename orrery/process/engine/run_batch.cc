#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/process/model/cell_core.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/run/run.h"
#include "orrery/process/run/thresholds.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

namespace {

// The number of steps for which memory is kept.
constexpr std::size_t kFewSteps = 1024;

// Where the cell's type cannot tell its value, all are told so, as by a read.
void MarkThoseMet(CellCore& cell, Run& run) {
  const auto mark = [&run](Dependent& who) {
    run.MarkChanged(who);
  };
  double level = 0;
  try {
    level = cell.Level();
  } catch (...) {
    cell.thresholds->ForEach(mark);
    return;
  }
  if (std::isfinite(level)) {
    cell.thresholds->ForEachMet(level, mark);
  }
}

}  // namespace

void Run::RunBatch() {
  ++statistics_.microsteps;
  steps_.clear();
  if (steps_.capacity() > kFewSteps) {
    SpareMemory();
  }
  for (Node* task : next_) {
    steps_.push_back({.task = task});
  }
  num_due_ = steps_.size();
  next_.clear();
  if (options_.shuffle) {
    RunShuffled();
  } else {
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      RunStep(i);
    }
  }
  current_ = nullptr;
  statistics_.steps += static_cast<std::int64_t>(steps_.size());
  if (options_.records.spans) {
    BeginSpans();
  }
  if (segments_.size() != 0) {
    RecordCommit();
    CommitCells();
  }
  ApplyOutcomes();
}

// Frees the memory of a large batch, such as the first one of many tasks, after
// as many small ones.
void Run::SpareMemory() {
  if (next_.size() < steps_.capacity() / 4 &&
      ++num_small_batches_ > steps_.capacity()) {
    num_small_batches_ = 0;
    steps_.shrink_to_fit();
    next_.shrink_to_fit();
  }
}

void Run::RunStep(std::uint32_t index) {
  Node& node = *steps_[index].task;
  current_ = &node;
  node.state = TaskState::kRunning;
  base_ = steps_[index].base;
  segment_ = kNoIndex;
  step_ = index;
  operations_left_ = options_.max_operations;
  stack_ = __builtin_frame_address(0);
  touched_.of_step.clear();
  touched_.num_before = touched_.all.size();
  end_ = StepEnd::kNone;
  if (options_.snapshots && replay_ == nullptr && !node.is_cancelled) {
    LogStep(node);
  }
  if (node.frame && !node.is_cancelled) [[likely]] {
    node.frame.resume();
    if (node.frame.done()) {
      end_ = StepEnd::kEnded;
    }
  } else {
    if (node.is_cancelled) {
      EndFrame(node);
      LeaveCall();
    } else {
      StartModels();
    }
    end_ = StepEnd::kEnded;
  }
  if (is_flooding_) [[unlikely]] {
    FailSpawning(node);
  }
  steps_[index].end = end_;
  if (logs_reads()) {
    deeds().Add(static_cast<std::uint64_t>(end_));
    deeds().Add(static_cast<std::uint64_t>(steps_[index].delay.count()));
  }
}

// Runs the steps in a random order, in which a spawning step comes before the
// steps that it spawns; then restores the usual order of the records.
void Run::RunShuffled() {
  std::vector<std::uint32_t> left;
  std::uint32_t known = 0;
  std::uint64_t state = MixKeys(
      *options_.shuffle, static_cast<std::uint64_t>(statistics_.microsteps));
  for (;;) {
    for (; known < steps_.size(); ++known) {
      left.push_back(known);
    }
    if (left.empty()) {
      break;
    }
    state = MixKeys(state, left.size());
    std::swap(left[state % left.size()], left.back());
    const std::uint32_t index = left.back();
    left.pop_back();
    RunStep(index);
  }
  RestoreOrder();
}

void Run::RestoreOrder() {
  std::vector<std::vector<std::uint32_t>> spawned(steps_.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].parent == kNoIndex) {
      order.push_back(i);
    } else {
      spawned[steps_[i].parent].push_back(i);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<std::uint32_t>& children = spawned[order[i]];
    order.insert(order.end(), children.begin(), children.end());
  }
  std::vector<std::uint32_t> ranks(steps_.size());
  std::vector<internal::Step> steps;
  steps.reserve(steps_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    ranks[order[i]] = i;
    steps.push_back(steps_[order[i]]);
  }
  steps_ = std::move(steps);
  const auto numbers = segments_.Renumber(ranks);
  for (CellCore* cell : touched_.all) {
    cell->Renumber(numbers);
  }
  recording_->events.Renumber(numbers);
  for (Annotation& annotation : annotations_) {
    annotation.step = ranks[annotation.step];
  }
  std::ranges::stable_sort(annotations_, {}, &Annotation::step);
  for (Operation& operation : operations_) {
    operation.step = ranks[operation.step];
  }
  std::ranges::stable_sort(operations_, {}, &Operation::step);
  for (Posted& posted : posted_) {
    posted.step = ranks[posted.step];
  }
  std::ranges::stable_sort(posted_, {}, &Posted::step);
}

void Run::CommitCells() {
  for (CellCore* cell : touched_.all) {
    cell->Commit();
    cell->acting_segment = kNoIndex;
    MarkDependents(cell->dependents);
    if (cell->thresholds != nullptr && !cell->thresholds->empty()) {
      MarkThoseMet(*cell, *this);
    }
  }
  touched_.all.clear();
  segments_.Clear();
}

void Run::MarkDependents(Link* first) {
  for (Link* link = first; link != nullptr; link = link->next) {
    MarkChanged(*link->owner);
  }
}

void Run::SettleFacilities() {
  for (const Posted& posted : posted_) {
    MarkForSettling(*posted.facility);
    posted.facility->OnPosted(posted.argument);
  }
  posted_.clear();
  for (Facility* facility : unsettled_) {
    facility->needs_settling_ = false;
    facility->Settle();
    MarkDependents(facility->dependents_);
  }
  unsettled_.clear();
}

void Run::MarkForSettling(Facility& facility) {
  if (!facility.needs_settling_) {
    facility.needs_settling_ = true;
    unsettled_.push_back(&facility);
  }
}

// Registers waits before it completes tasks that have ended.
void Run::ApplyOutcomes() {
  bool has_ended = false;
  for (const internal::Step& step : steps_) {
    Node& node = *step.task;
    switch (step.end) {
      case StepEnd::kDelayed:
        if (step.delay == Duration(0)) {
          WakeNext(node);
        } else {
          node.state = TaskState::kDelayed;
          ScheduleIn(node, step.delay);
        }
        break;
      case StepEnd::kWaiting:
        node.state = TaskState::kWaiting;
        node.wait->OnWaiting(*this, node);
        break;
      case StepEnd::kJoining:
        node.state = TaskState::kWaiting;
        (*nodes_)[step.joined].has_joiners = true;
        joiners_[step.joined].push_back(node.index);
        break;
      case StepEnd::kCalling:
        node.state = TaskState::kCalling;
        break;
      case StepEnd::kEnded:
        has_ended = true;
        break;
      case StepEnd::kNone:
        ORRERY_CHECK(false);
    }
  }
  if (!deferred_.empty()) {
    std::vector<Operation> deferred = std::exchange(deferred_, {});
    Apply(deferred);
  }
  if (!operations_.empty()) {
    Apply(operations_);
  }
  if (has_ended) {
    CompleteEnded();
  }
  if (!posted_.empty() || !unsettled_.empty()) {
    SettleFacilities();
  }
}

void Run::Apply(std::vector<Operation>& operations) {
  for (Operation& operation : operations) {
    Node& target = (*nodes_)[operation.target];
    if (target.frame && !target.frame.done()) {
      if (operation.reason == nullptr) {
        interrupts_.erase(target.index);
        target.is_cancelled = true;
        WakeNext(target);
      } else if (target.is_to_begin && target.state == TaskState::kDelayed) {
        interrupts_[target.index].push_back(std::move(operation.reason));
      } else {
        Throw(target, std::move(operation.reason));
      }
    } else if (operation.is_of_call) {
      const auto thrown = thrown_.find(target.index);
      if (thrown != thrown_.end()) {
        thrown->second.is_left = true;
      }
    }
    --target.handles;
    FreeIfOver(target);
  }
  operations.clear();
}

}  // namespace orrery::process::internal
