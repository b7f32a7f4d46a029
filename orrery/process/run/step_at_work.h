#pragma once

#include <any>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "orrery/base/numbers/random.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/run/batch.h"
#include "orrery/process/run/evaluations.h"
#include "orrery/process/run/facility_queue.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/replay_copy.h"
#include "orrery/process/run/task_exceptions.h"
#include "orrery/process/run/task_log.h"
#include "orrery/process/run/task_logs.h"
#include "orrery/process/run/task_replay.h"

namespace orrery::process {

class Facility;

namespace internal {

class CellCore;
class EventSource;
class Wait;

/// The step of a task at work, and what the task may do in it. Most functions
/// throw Error kInvalidArgument between steps.
class StepAtWork {
 public:
  explicit StepAtWork(Run& run) noexcept;

  // --- For the engine.

  /// The step of this index of the batch begins.
  /// @param max_operations its bound on reads, effects and spawned tasks.
  /// @param stack where its frames on the stack begin.
  void Begin(std::uint32_t index,
             std::int64_t max_operations,
             const void* stack) {
    task_ = batch_.steps[index].task;
    index_ = index;
    end_ = StepEnd::kNone;
    is_flooding_ = false;
    operations_left_ = max_operations;
    stack_ = stack;
    task_->state = TaskState::kRunning;
    if (logs_.are_kept()) {
      LogBegin();
    }
  }

  /// Notes its end in the batch.
  void End() {
    batch_.steps[index_].end = end_;
    if (logs_reads()) {
      LogEnd();
    }
  }

  /// The task can no longer be told of anything: no step is at work.
  void Leave() noexcept { task_ = nullptr; }

  void SetEnd(StepEnd end) noexcept { end_ = end; }

  /// True once more tasks were spawned in the batch than are allowed.
  [[nodiscard]] bool is_flooding() const noexcept { return is_flooding_; }

  // --- The task.

  /// Its index in the batch.
  [[nodiscard]] std::uint32_t index() const noexcept { return index_; }

  /// Null between steps.
  [[nodiscard]] Node* task() const noexcept { return task_; }

  /// A number that changes with each read, effect and spawned task of the step;
  /// 0 between steps.
  [[nodiscard]] std::uint64_t Moment() const noexcept;

  /// A new stream of random numbers of the task.
  [[nodiscard]] RandomStream Random(std::string_view name);

  /// Adds an attribute to the span of the task.
  void Annotate(Record::Field field);

  // --- Waiting.

  /// Ends the step: the task goes on `delay` later.
  void Delay(Duration delay) {
    end_ = StepEnd::kDelayed;
    batch_.steps[index_].delay = delay;
  }

  /// Ends the step: the task goes on when `wait` says so.
  void Wait(internal::Wait& wait) {
    end_ = StepEnd::kWaiting;
    task_->wait = &wait;
  }

  /// Ends the step: the task goes on when `joined` is over.
  void Join(Node& joined, internal::Wait& wait);

  /// The task no longer waits for the end of `joined`.
  void StopJoining(Node& joined);

  // --- Spawning and calling.

  /// To be called before a coroutine is handed over to one of the next three.
  /// @throws Error kInvalidArgument unless a task of the run is at work,
  ///     kInvalidModel if its step never ends.
  void CheckMaySpawn();

  /// @throws Error kInvalidArgument for a lambda in a frame that ends with the
  ///     step.
  void CheckOutlives(const void* lambda) const;

  /// Spawns a task. Its first step is part of this batch.
  /// @param task with the key of the model that spawns it.
  Node& Spawn(const NewTask& task);

  /// Ends the step: the task goes on when the new task and all that it spawns
  /// are over.
  Node& Call(const NewTask& task, internal::Wait& wait);

  /// Ends the step: the task goes on when `needed` of the new tasks are over.
  /// @param tasks receives the new tasks.
  void CallAll(std::span<const AwaitedPart> parts,
               std::uint32_t needed,
               internal::Wait& wait,
               std::span<Node*> tasks);

  /// Ends the last call: the fate of its tasks no longer matters to this one.
  void LeaveCall() noexcept { ++task_->calls; }

  /// Cancels a called task that the task no longer waits for.
  void CancelCalled(Node& target) noexcept;

  /// Throws `reason` where `target` waits, in the next batch; null cancels it.
  void Stop(Node& target, std::exception_ptr reason);

  // --- Exceptions.

  /// Throws the exception that was delivered to the task, if any.
  void ThrowDelivered() {
    if (task_->has_exception) {
      exceptions_.Rethrow(*task_);
    }
  }

  /// Takes the exception that the coroutine did not catch, and undoes the step.
  void OnException(std::exception_ptr exception);

  // --- Cells, topics and facilities.

  /// The segment of the batch to which an effect on `cell` now belongs;
  /// kNoIndex if it has none.
  std::uint32_t SegmentForEffect(CellCore& cell);

  /// @throws Error kInvalidArgument unless a step or an evaluation is at work.
  void CheckMayRead(const CellCore& cell);

  /// Logs a message on a topic.
  /// @returns true if it is kept.
  bool LogEvent(const EventSource& source, std::size_t number);

  /// Calls `facility.OnPosted(argument)` when the batch is committed; between
  /// steps at once.
  void Post(Facility& facility, std::uint64_t argument, PostKind kind);

  // --- The log of the task, so that the run can be saved.

  /// True if reads of the step are logged or replayed, and what it does is
  /// hashed.
  [[nodiscard]] bool logs_reads() const noexcept {
    return logs_.are_kept() && task_ != nullptr &&
           !evaluations_.is_evaluating();
  }

  /// The hash of what the task has done.
  [[nodiscard]] TaskLogHash& hash() {
    return replay_.is_at_work() ? replay_.hash() : logs_.of(task_->index)->hash;
  }

  /// The value that the task is told: computed and logged or, in a replay, the
  /// value in the log. Valid as long as the task.
  /// @throws Error kInvalidModel if the log has a value of another type.
  template <typename T, typename F>
  const T& Logged(F compute) {
    if (replay_.is_at_work()) {
      const T* told = std::any_cast<T>(&replay_.NextValue());
      if (told == nullptr) {
        RefuseReplay(run_, *task_);
      }
      return *told;
    }
    TaskLog& log = *logs_.of(task_->index);
    log.values.emplace_back(std::in_place_type<T>, compute());
    return *std::any_cast<T>(&log.values.back());
  }

  /// The same for a result. It is logged only if it can be copied or made
  /// again.
  template <typename T, typename F>
  T LoggedResult(F compute) {
    if (!logs_reads()) {
      return compute();
    }
    if constexpr (!ReplayCopy<T>::kIsPossible) {
      logs_.of(task_->index)->has_unique_result = true;
      return compute();
    } else {
      std::optional<T> result;
      const auto& saved = Logged<typename ReplayCopy<T>::Saved>(
          [&] { return ReplayCopy<T>::Save(result.emplace(compute())); });
      return result ? *std::move(result) : ReplayCopy<T>::Load(saved);
    }
  }

 private:
  // Counts operations, since a step that never ends cannot be stopped
  // otherwise.
  void CountOperation() {
    if (--operations_left_ < 0) {
      FailUnyielding();
    }
  }

  void LogBegin();
  void LogEnd();
  [[noreturn]] void FailUnyielding() const;
  void CheckIsAtWork(std::string_view purpose) const;
  [[nodiscard]] std::uint64_t NextKey(const char* name, std::uint64_t place);
  Node& NewChild(const NewTask& task, std::uint32_t base);

  Run& run_;
  Batch& batch_;
  Evaluations& evaluations_;
  TaskExceptions& exceptions_;
  TaskLogs& logs_;
  TaskReplay& replay_;
  Node* task_ = nullptr;
  std::uint32_t index_ = kNoIndex;
  StepEnd end_ = StepEnd::kNone;
  bool is_flooding_ = false;
  std::int64_t operations_left_ = 0;
  const void* stack_ = nullptr;
  NameHash name_hash_;
};

}  // namespace internal
}  // namespace orrery::process
