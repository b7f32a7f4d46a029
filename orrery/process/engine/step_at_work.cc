#include "orrery/process/run/step_at_work.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/process/engine/undo_step.h"
#include "orrery/process/model/cell_core.h"
#include "orrery/process/run/run.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process::internal {

namespace {

// Distinguishes the parts of AnyOf and AllOf from tasks that they call.
constexpr std::uint64_t kPlaceOfParts = 1;

}  // namespace

StepAtWork::StepAtWork(Run& run) noexcept
    : run_(run),
      batch_(run.batch),
      evaluations_(run.evaluations),
      exceptions_(run.exceptions),
      logs_(run.logs),
      replay_(run.replay) {}

void StepAtWork::LogBegin() {
  if (!replay_.is_at_work() && !task_->is_cancelled) {
    logs_.AddStep(task_->index, run_.now(), exceptions_.DeliveredTo(*task_));
  }
}

void StepAtWork::LogEnd() {
  hash().Add(static_cast<std::uint64_t>(end_));
  hash().Add(static_cast<std::uint64_t>(batch_.steps[index_].delay.count()));
}

void StepAtWork::CheckIsAtWork(std::string_view purpose) const {
  if (task_ == nullptr || evaluations_.is_evaluating()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) + ": " +
                    (evaluations_.is_evaluating()
                         ? "conditions and resources only read; do it in a "
                           "task"
                         : "no task of its run is at work"));
  }
}

void StepAtWork::FailUnyielding() const {
  throw Error(ErrorCode::kInvalidModel,
              std::to_string(run_.options.max_operations) +
                  " reads, effects and tasks spawned in one step; let it "
                  "wait for something, or raise max_operations");
}

// The task -------------------------------------------------------------------

std::uint64_t StepAtWork::Moment() const noexcept {
  return task_ == nullptr
             ? 0
             : MixKeys(static_cast<std::uint64_t>(run_.statistics.microsteps),
                       (std::uint64_t{index_} << 32U) +
                           static_cast<std::uint64_t>(operations_left_)) |
                   1U;
}

RandomStream StepAtWork::Random(std::string_view name) {
  CheckIsAtWork("draw random numbers");
  if (logs_reads()) {
    hash().Add(name);
  }
  const std::uint64_t name_key = StableHash(name);
  return {MixKeys(run_.options.seed, name_key),
          MixKeys(task_->key, task_->names.Next(~name_key))};
}

void StepAtWork::Annotate(Record::Field field) {
  CheckIsAtWork("annotate a task");
  if (!replay_.is_at_work()) {
    run_.recorder.Annotate(index_, std::move(field));
  }
}

// Waiting ---------------------------------------------------------------------

void StepAtWork::Join(Node& joined, internal::Wait& wait) {
  if (&joined == task_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot wait for the end of '" +
                    std::string(ShownName(joined.name)) +
                    "': it is the task itself");
  }
  end_ = StepEnd::kJoining;
  batch_.steps[index_].joined = joined.index;
  task_->wait = &wait;
}

void StepAtWork::StopJoining(Node& joined) {
  if (!replay_.is_at_work()) {
    run_.tasks.RemoveJoiner(joined, *task_);
  }
}

// Spawning and calling --------------------------------------------------------

void StepAtWork::CheckMaySpawn() {
  CheckIsAtWork("spawn a task");
  CountOperation();
  if (!replay_.is_at_work() &&
      std::cmp_greater_equal(batch_.steps.size() - batch_.num_due,
                             run_.options.max_spawned)) {
    is_flooding_ = true;
    throw Error(ErrorCode::kInvalidModel,
                "cannot spawn a task: too many were spawned in this batch");
  }
}

void StepAtWork::CheckOutlives(const void* lambda) const {
  const std::less<const void*> is_below;
  if (lambda != nullptr && is_below(__builtin_frame_address(0), lambda) &&
      is_below(lambda, stack_)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run a lambda that captures as a task: it is gone when "
                "the task goes on; give it arguments instead of captures, as "
                "in Spawn([](Model& m, int n) -> Task<> { ... }(*this, n))");
  }
}

// The key depends on the number of tasks of this name, not on other tasks that
// are spawned.
std::uint64_t StepAtWork::NextKey(const char* name, std::uint64_t place) {
  const std::uint64_t hash = MixKeys(place, name_hash_.Of(name));
  return MixKeys(MixKeys(task_->key, hash), task_->names.Next(hash));
}

// Adds a task, whose first step is one of this batch.
Node& StepAtWork::NewChild(const NewTask& task, std::uint32_t base) {
  Node& child = run_.tasks.Add(*task_, task);
  ++run_.statistics.spawned;
  if (logs_reads()) {
    hash().Add(task.name);
  }
  batch_.steps.push_back({.task = &child, .parent = index_, .base = base});
  return child;
}

Node& StepAtWork::Spawn(const NewTask& task) {
  NewTask keyed = task;
  keyed.key = NextKey(task.name, task.key);
  if (replay_.is_at_work()) {
    return replay_.Adopt(run_, keyed);
  }
  Node& child = NewChild(keyed, run_.transactions.Branch());
  child.caller = task_->caller;
  child.call = task_->call;
  if (Node* caller = run_.tasks.CallerOf(child)) {
    ++caller->blocked;
  }
  return child;
}

Node& StepAtWork::Call(const NewTask& task, internal::Wait& wait) {
  task_->wait = &wait;
  end_ = StepEnd::kCalling;
  NewTask keyed = task;
  keyed.key = NextKey(task.name, task.key);
  if (replay_.is_at_work()) {
    return replay_.Adopt(run_, keyed);
  }
  Node& child = NewChild(keyed, run_.transactions.tip());
  child.caller = task_->index;
  child.call = ++task_->calls;
  task_->blocked = 1;
  task_->awaits_first = false;
  return child;
}

void StepAtWork::CallAll(std::span<const AwaitedPart> parts,
                         std::uint32_t needed,
                         internal::Wait& wait,
                         std::span<Node*> tasks) {
  ++task_->calls;
  task_->blocked = needed;
  task_->awaits_first = needed < parts.size();
  task_->wait = &wait;
  end_ = StepEnd::kCalling;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [callee, frame] = parts[i];
    const NewTask task{
        .frame = frame, .name = "", .key = NextKey(callee, kPlaceOfParts)};
    if (replay_.is_at_work()) {
      tasks[i] = &replay_.Adopt(run_, task);
      continue;
    }
    Node& child = NewChild(task, run_.transactions.tip());
    child.caller = task_->index;
    child.call = task_->calls;
    tasks[i] = &child;
  }
}

void StepAtWork::CancelCalled(Node& target) noexcept {
  if (!replay_.is_at_work() && task_ != nullptr) {
    ++target.handles;
    batch_.operations.push_back({.step = index_,
                                 .target = target.index,
                                 .reason = nullptr,
                                 .is_of_call = true});
  }
}

void StepAtWork::Stop(Node& target, std::exception_ptr reason) {
  const std::string verb = reason == nullptr ? "cancel" : "interrupt";
  CheckIsAtWork(verb + " a task");
  if (replay_.is_at_work()) {
    return;
  }
  if (&target == task_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + verb + " '" + std::string(ShownName(target.name)) +
                    "': it is the task itself; return, or throw");
  }
  ++target.handles;
  batch_.operations.push_back(
      {.step = index_, .target = target.index, .reason = std::move(reason)});
}

// Exceptions ------------------------------------------------------------------

void StepAtWork::OnException(std::exception_ptr exception) {
  if (!replay_.is_at_work()) {
    UndoStep(run_);
  }
  batch_.thrown[task_->index] = {.exception = std::move(exception)};
}

// Cells, topics and facilities ------------------------------------------------

std::uint32_t StepAtWork::SegmentForEffect(CellCore& cell) {
  if (task_ == nullptr || evaluations_.is_evaluating()) {
    if (run_.is_over()) {
      return kNoIndex;  // An effect of a task that is destroyed with the run.
    }
    CheckIsAtWork("change '" + cell.path() + "'");
  }
  CountOperation();
  if (replay_.is_at_work()) {
    return kNoIndex;  // A replay: the effect is in the state already.
  }
  return run_.transactions.Touch(cell);
}

void StepAtWork::CheckMayRead(const CellCore& cell) {
  if (evaluations_.is_evaluating()) {
    return;
  }
  if (task_ == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot read '" + cell.path() +
                    "': no task of its run is at work; between steps ask "
                    "Simulator::Get");
  }
  CountOperation();
}

bool StepAtWork::LogEvent(const EventSource& source, std::size_t number) {
  if (run_.is_over()) {
    return false;
  }
  CheckIsAtWork("speak on '" + source.path() + "'");
  CountOperation();
  if (!run_.recorder.has_events() || replay_.is_at_work()) {
    return false;
  }
  run_.recorder.AddEvent(run_.transactions.OpenSegment(), source, number);
  return true;
}

void StepAtWork::Post(Facility& facility,
                      std::uint64_t argument,
                      PostKind kind) {
  if (run_.is_over() || replay_.is_at_work()) {
    return;  // Posted by tasks that are destroyed with the run, or replayed.
  }
  if (task_ != nullptr && !evaluations_.is_evaluating()) {
    run_.facilities.Post(index_, facility, argument, kind);
    return;
  }
  run_.facilities.Tell(facility, argument);  // Nobody took its result.
  if (!run_.is_running) {
    run_.facilities.Settle(evaluations_);
  }
}

}  // namespace orrery::process::internal
