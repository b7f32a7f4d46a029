#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/model/cell_core.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/tasks/wait.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process::internal {

using orrery::ToText;

namespace {

// Distinguishes the parts of AnyOf and AllOf from tasks that they call.
constexpr std::uint64_t kPlaceOfParts = 1;

}  // namespace

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

// Operations are counted, since a step that never ends cannot be stopped
// otherwise.
void Run::FailUnyielding() const {
  throw Error(ErrorCode::kInvalidModel,
              std::to_string(options_.max_operations) +
                  " reads, effects and tasks spawned in one step; let it "
                  "wait for something, or raise max_operations");
}

// Ends the run and not the task, whose callers would be told one after the
// other.
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

// The key depends on the number of tasks of this name, not on other tasks that
// are spawned.
std::uint64_t Run::NextKey(const char* name, std::uint64_t place) {
  const std::uint64_t hash = MixKeys(place, name_hash_.Of(name));
  return MixKeys(MixKeys(current_->key, hash), current_->names.Next(hash));
}

void Run::CheckOutlives(const void* lambda) const {
  const std::less<const void*> is_below;
  if (lambda != nullptr && is_below(__builtin_frame_address(0), lambda) &&
      is_below(lambda, stack_)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run a lambda that captures as a task: it is gone when "
                "the task goes on; give it arguments instead of captures, as "
                "in Spawn([](Model& m, int n) -> Task<> { ... }(*this, n))");
  }
}

Node& Run::Spawn(const NewTask& task) {
  NewTask keyed = task;
  keyed.key = NextKey(task.name, task.key);
  if (replay_ != nullptr) {
    return Adopt(keyed);
  }
  Node& child = NewChild(*current_, keyed);
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

// Adds the first step of a task that the step at work has spawned.
void Run::AddStep(Node& child, std::uint32_t base) {
  internal::Step& step = steps_.emplace_back();
  step.task = &child;
  step.parent = step_;
  step.base = base;
}

Node& Run::Call(const NewTask& task, internal::Wait& wait) {
  current_->wait = &wait;
  end_ = StepEnd::kCalling;
  NewTask keyed = task;
  keyed.key = NextKey(task.name, task.key);
  if (replay_ != nullptr) {
    return Adopt(keyed);
  }
  Node& child = NewChild(*current_, keyed);
  child.caller = current_->index;
  child.call = ++current_->calls;
  current_->blocked = 1;
  current_->awaits_first = false;
  AddStep(child, tip());
  return child;
}

void Run::CallAll(std::span<const AwaitedPart> parts,
                  std::uint32_t needed,
                  internal::Wait& wait,
                  std::span<Node*> tasks) {
  ++current_->calls;
  current_->blocked = needed;
  current_->awaits_first = needed < parts.size();
  current_->wait = &wait;
  end_ = StepEnd::kCalling;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [callee, frame] = parts[i];
    const NewTask task{
        .frame = frame, .name = "", .key = NextKey(callee, kPlaceOfParts)};
    if (replay_ != nullptr) {
      tasks[i] = &Adopt(task);
      continue;
    }
    Node& child = NewChild(*current_, task);
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
  const std::uint64_t hash = StableHash(name);
  return {MixKeys(options_.seed, hash),
          MixKeys(current_->key, current_->names.Next(~hash))};
}

void Run::Post(Facility& facility, std::uint64_t argument, PostKind kind) {
  if (nodes_->run == nullptr || replay_ != nullptr) {
    return;  // Posted by tasks that are destroyed with the run, or replayed.
  }
  if (current_ != nullptr && !is_evaluating_) {
    posted_.push_back({.step = step_,
                       .kind = kind,
                       .facility = &facility,
                       .argument = argument});
    return;
  }
  MarkForSettling(facility);  // Units of a result that nobody took.
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
  if (replay_ == nullptr) {
    UndoStep();
  }
  thrown_[current_->index] = {.exception = std::move(exception)};
}

std::uint32_t Run::SegmentForEffect(CellCore& cell) {
  if (current_ == nullptr || is_evaluating_) {
    if (nodes_->run == nullptr) {
      return kNoIndex;  // An effect of a task that is destroyed with the run.
    }
    CheckInStep("change '" + cell.path() + "'");
  }
  CountOperation();
  if (replay_ != nullptr) {
    return kNoIndex;  // A replay: the effect is in the state already.
  }
  const std::uint32_t segment = OpenSegment();
  if (cell.acting_segment != segment) {
    if (cell.acting_segment == kNoIndex) {
      touched_.all.push_back(&cell);
    }
    cell.acting_segment = segment;
    touched_.of_step.push_back(&cell);
  }
  return segment;
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

void Run::Warn(Duration at, std::string text) {
  if (replay_ == nullptr) {
    warnings_.Add(at, std::move(text));
  }
}

std::uint64_t Run::Moment() const noexcept {
  return current_ == nullptr
             ? 0
             : MixKeys(static_cast<std::uint64_t>(statistics_.microsteps),
                       (std::uint64_t{step_} << 32U) +
                           static_cast<std::uint64_t>(operations_left_)) |
                   1U;
}

}  // namespace orrery::process::internal
