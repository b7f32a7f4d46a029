#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/facility.h"
#include "orrery/process/internal/cell_core.h"
#include "orrery/process/internal/run.h"
#include "orrery/process/internal/shown_name.h"
#include "orrery/process/internal/wait.h"
#include "orrery/process/task.h"

namespace orrery::process::internal {

using orrery::ToText;

void Run::CheckInStep(std::string_view purpose) const {
  if (current_ == nullptr || is_evaluating_) {
    throw Error(
        ErrorCode::kInvalidArgument,
        "cannot " + std::string(purpose) + ": " +
            (is_evaluating_ ? "conditions and resources only read; do it in a "
                              "task"
                            : "no task of its run is at work"));
  }
}

// Counted, since a step that never ends cannot be stopped otherwise.
void Run::FailUnyielding() const {
  throw Error(ErrorCode::kInvalidModel,
              std::to_string(options_.max_operations) +
                  " reads, effects and tasks spawned in one step; let it "
                  "wait for something, or raise max_operations");
}

// It is the run that ends, not the task, whose callers would be told one after
// the other.
void Run::FailSpawning(const Node& node) {
  has_failed_ = true;
  current_ = nullptr;
  throw Error(ErrorCode::kInvalidModel,
              "cannot go on at t = " + ToText(now_) + ": " +
                  std::to_string(options_.max_spawned) +
                  " tasks spawned in one batch, the last by '" +
                  Ancestry(node) +
                  "'; let them wait before they spawn, or raise max_spawned");
}

void Run::Join(Node& joined, internal::Wait& wait) {
  if (&joined == current_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot wait for the end of '" +
                    std::string(ShownName(joined.name)) +
                    "': it is the task itself");
  }
  end_ = StepEnd::kJoining;
  steps_[step_].joined = joined.index;
  current_->wait = &wait;
}

void Run::CheckMaySpawn() {
  CheckInStep("spawn a task");
  CountOperation();
  if (replay_ == nullptr &&
      std::cmp_greater_equal(steps_.size() - num_due_, options_.max_spawned)) {
    is_flooding_ = true;
    throw Error(ErrorCode::kInvalidModel,
                "cannot spawn a task: too many were spawned in this batch");
  }
}

Node& Run::Spawn(std::coroutine_handle<> frame, const char* name) {
  if (replay_ != nullptr) {
    return Adopt(frame, name);
  }
  ++current_->spawned;
  Node& child = NewChild(*current_, frame, name);
  child.caller = current_->caller;
  child.call = current_->call;
  if (Node* caller = CallerOf(child)) {
    ++caller->blocked;
  }
  if (segment_ != kNoIndex) {
    base_ = std::exchange(segment_, kNoIndex);
  }
  AddStep(child, base_);
  return child;
}

// The first of a task that the one at work has spawned.
void Run::AddStep(Node& child, std::uint32_t base) {
  internal::Step& step = steps_.emplace_back();
  step.task = &child;
  step.parent = step_;
  step.base = base;
}

Node& Run::Call(std::coroutine_handle<> frame,
                const char* name,
                internal::Wait& wait) {
  current_->wait = &wait;
  end_ = StepEnd::kCalling;
  if (replay_ != nullptr) {
    return Adopt(frame, name);
  }
  ++current_->spawned;
  Node& child = NewChild(*current_, frame, name);
  child.caller = current_->index;
  child.call = ++current_->calls;
  current_->blocked = 1;
  current_->awaits_first = false;
  AddStep(child, tip());
  return child;
}

void Run::CallAll(std::span<const std::coroutine_handle<>> frames,
                  std::uint32_t needed,
                  internal::Wait& wait,
                  std::span<Node*> tasks) {
  ++current_->calls;
  current_->blocked = needed;
  current_->awaits_first = needed < frames.size();
  current_->wait = &wait;
  end_ = StepEnd::kCalling;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (replay_ != nullptr) {
      tasks[i] = &Adopt(frames[i], "");
      continue;
    }
    ++current_->spawned;
    Node& child = NewChild(*current_, frames[i], "");
    child.caller = current_->index;
    child.call = current_->calls;
    AddStep(child, tip());
    tasks[i] = &child;
  }
}

RandomStream Run::Random(std::string_view name) {
  CheckInStep("draw random numbers");
  if (logs_reads()) {
    deeds().Add(name);
  }
  return {MixKeys(options_.seed, StableHash(name)),
          MixKeys(current_->key, ++current_->drawn)};
}

void Run::Post(Facility& facility, std::uint64_t argument) {
  if (nodes_->run == nullptr || replay_ != nullptr) {
    return;  // By tasks that are destroyed with the run, or done again.
  }
  if (current_ != nullptr && !is_evaluating_) {
    posted_.push_back(
        {.step = step_, .facility = &facility, .argument = argument});
    return;
  }
  MarkForSettling(facility);  // What a result held that nobody took.
  facility.OnPosted(argument);
  if (!is_running_) {
    SettleFacilities();
  }
}

void Run::CancelCalled(Node& target) noexcept {
  if (replay_ == nullptr && current_ != nullptr) {
    ++target.handles;
    operations_.push_back({.step = step_,
                           .target = target.index,
                           .reason = nullptr,
                           .is_of_call = true});
  }
}

void Run::Stop(Node& target, std::exception_ptr reason) {
  const std::string verb = reason == nullptr ? "cancel" : "interrupt";
  CheckInStep(verb + " a task");
  if (replay_ != nullptr) {
    return;
  }
  if (&target == current_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + verb + " '" + std::string(ShownName(target.name)) +
                    "': it is the task itself; return, or throw");
  }
  ++target.handles;
  operations_.push_back(
      {.step = step_, .target = target.index, .reason = std::move(reason)});
}

void Run::RethrowDelivered() {
  const auto found = delivered_.find(current_->index);
  const std::exception_ptr exception = std::move(found->second);
  delivered_.erase(found);
  current_->has_exception = false;
  std::rethrow_exception(exception);
}

void Run::OnException(std::exception_ptr exception) {
  thrown_[current_->index] = {.exception = std::move(exception)};
}

std::uint32_t Run::SegmentForEffect(CellCore& cell) {
  if (current_ == nullptr || is_evaluating_) {
    if (nodes_->run == nullptr) {
      return kNoIndex;  // Of tasks that are destroyed with the run.
    }
    CheckInStep("change '" + cell.path() + "'");
  }
  CountOperation();
  if (replay_ != nullptr) {
    return kNoIndex;  // It has come about already.
  }
  if (!cell.is_touched) {
    cell.is_touched = true;
    touched_.push_back(&cell);
  }
  return OpenSegment();
}

std::uint32_t Run::OpenSegment() {
  if (segment_ == kNoIndex) {
    segment_ = segments_.Add(base_, step_);
  }
  return segment_;
}

void Run::CheckMayRead(const CellCore& cell) {
  if (is_evaluating_) {
    return;
  }
  if (current_ == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot read '" + cell.path() +
                    "': no task of its run is at work; between steps ask "
                    "Simulator::Get");
  }
  CountOperation();
}

void RefuseExpiry(const CellCore& cell, Duration expiry) {
  throw Error(ErrorCode::kInvalidModel,
              "cannot read '" + cell.path() +
                  "': what is seen of it holds for " + ToText(expiry) +
                  "; let its Expiry give a time above zero, or none");
}

void Run::WarnOfConflict(const CellCore& cell,
                         Duration at,
                         std::string_view why) {
  std::string text = "'" + cell.path() + "' at " + ToText(at) + ": ";
  text += why;
  warnings_.Add(at, std::move(text));
}

}  // namespace orrery::process::internal
