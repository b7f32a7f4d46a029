#pragma once

#include <any>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/containers/event_list.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/run/keeping.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/steps.h"
#include "orrery/process/run/task_log.h"
#include "orrery/process/run/warnings.h"
#include "orrery/process/types/column.h"
#include "orrery/process/types/options.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

class Model;
class Stateful;
struct Recording;

namespace internal {

class CellCore;
class ConditionWait;
class EventSource;
struct Agenda;
struct SavedRun;

/// The engine of a run. It works in batches of the steps that are due at one
/// time. A step sees the cells as the batch before left them, with its own
/// effects and those of the steps that spawned it. At the end of the batch all
/// effects are committed together.
class Run {
 public:
  /// @param agenda the plan to be carried out; may be null.
  Run(Model& root,
      const Options& options,
      std::shared_ptr<const Agenda> agenda);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Called by members of the models, when the run begins.
  void AddSource(EventSource& source);
  void AddMember(Stateful& member);

  /// @returns its number.
  std::uint32_t AddResource(Resource& resource);

  /// For the caller; see Simulator.
  void RunUntil(Duration end);
  bool Step();

  /// For Stepper.
  void GoOnTo(Duration horizon);
  bool RunMicrostep(Duration time, bool is_first);
  void EndMicrostep();

  [[nodiscard]] bool has_work() const noexcept;
  void EndInstant();
  void MarkOpen();
  /// To be called before a coroutine is handed over to one of the next two.
  void CheckMaySpawnAt(const char* name, Duration at) const;
  Node& SpawnAt(std::coroutine_handle<> frame, const char* name, Duration at);
  Node& SpawnAt(const Recipe& recipe, const char* name, Duration at);
  [[nodiscard]] std::shared_ptr<const SavedRun> Save() const;
  void Restore(const SavedRun& saved);

  /// The same, to go on by another plan.
  void Restore(const SavedRun& saved, std::shared_ptr<const Agenda> agenda);
  void CheckIsIdle(std::string_view purpose) const;
  void CheckGoesOn() const;
  [[nodiscard]] Duration NextTime();
  [[nodiscard]] std::vector<WaitingTask> Waiting() const;
  [[nodiscard]] std::vector<UnbegunActivity> Unbegun() const;

  [[nodiscard]] Model& root() const noexcept { return root_; }

  [[nodiscard]] const Options& options() const noexcept { return options_; }

  [[nodiscard]] Duration now() const noexcept { return now_; }

  [[nodiscard]] const Statistics& statistics() const noexcept {
    return statistics_;
  }

  [[nodiscard]] std::vector<std::string> warnings() const;

  // --- The actions of a step of a task.

  /// Null between steps.
  [[nodiscard]] Node* current() noexcept { return current_; }

  [[nodiscard]] NodePool& nodes() noexcept { return *nodes_; }

  /// Ends the step: the task goes on `delay` later.
  void Delay(Duration delay) {
    end_ = StepEnd::kDelayed;
    steps_[step_].delay = delay;
  }

  /// Ends the step: the task goes on when `wait` says so.
  void Wait(internal::Wait& wait) {
    end_ = StepEnd::kWaiting;
    current_->wait = &wait;
  }

  /// Ends the step: the task goes on when `joined` is over.
  void Join(Node& joined, internal::Wait& wait);

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

  /// Cancels a called task that the task at work no longer waits for.
  void CancelCalled(Node& target) noexcept;

  /// Throws `reason` where `target` waits, in the next batch; null cancels it.
  void Stop(Node& target, std::exception_ptr reason);

  /// Ends the step: the task goes on when `needed` of the new tasks are over.
  /// @param tasks receives the new tasks, each with a handle count that is one
  ///     too high.
  void CallAll(std::span<const AwaitedPart> parts,
               std::uint32_t needed,
               internal::Wait& wait,
               std::span<Node*> tasks);

  /// Ends the last call: the fate of its tasks no longer matters to this one.
  void LeaveCall() noexcept { ++current_->calls; }

  /// A new stream of random numbers of the task at work.
  [[nodiscard]] RandomStream Random(std::string_view name);

  /// Calls `facility.OnPosted(argument)` when the batch is committed.
  void Post(Facility& facility, std::uint64_t argument, PostKind kind);

  /// Throws the exception that was delivered to the task at work, if any.
  void ThrowDelivered() {
    if (current_->has_exception) {
      RethrowDelivered();
    }
  }

  /// The task at work no longer waits for the end of `joined`.
  void StopJoining(Node& joined);

  /// The exception with which a task ended; null if it has a result.
  [[nodiscard]] std::exception_ptr FailureOf(const Node& node) const;

  /// Takes the exception that the coroutine of the step at work did not catch.
  void OnException(std::exception_ptr exception);

  /// Is called when the last handle to a task has gone.
  void OnUnused(Node& node) {
    if (node.state == TaskState::kEnded) {
      FreeIfOver(node);
    }
  }

  // --- For cells.

  /// The segment of the batch to which an effect on `cell` now belongs.
  std::uint32_t SegmentForEffect(CellCore& cell);

  /// The last segment whose effects the step at work sees, or kNoIndex.
  [[nodiscard]] std::uint32_t tip() const noexcept {
    return segment_ != kNoIndex ? segment_ : base_;
  }

  /// True if the batch has only one step.
  [[nodiscard]] bool is_alone() const noexcept { return steps_.size() == 1; }

  /// Lets the task go on in the next batch, if it waits.
  void WakeNow(Node& node);

  /// The name of a task after those of its ancestors: "day > Drive".
  [[nodiscard]] std::string Ancestry(const Node& node) const;

  /// Schedules the wait of the task `delay` from now; Duration::max() is never.
  /// Replaces the time at which it was due.
  void WakeLater(Node& node, Duration delay);

  /// Calls MarkChanged for all dependents of a list.
  void MarkDependents(Link* first);

  /// Schedules an evaluation of `dependent`: before the next batch or, if it
  /// takes samples, at the end of the instant.
  void MarkChanged(Dependent& dependent);

  void MarkForSettling(Facility& facility);

  /// Calls `evaluate` and collects its reads in `reads`.
  template <typename F>
  auto Evaluating(F evaluate) {
    reads_.Clear();
    const WhileTrue evaluating(is_evaluating_);
    return evaluate();
  }

  /// The reads of the evaluation at work, or of the last one.
  [[nodiscard]] Reads& reads() noexcept { return reads_; }

  [[nodiscard]] bool is_evaluating() const noexcept { return is_evaluating_; }

  /// Ends the wait of the task with `exception`, in the next batch.
  /// @returns false if another exception or a cancellation has ended it.
  bool Deliver(Node& node, std::exception_ptr exception);

  /// Throws `exception` where the task waits, in the next batch. If it is told
  /// of another exception then, it is thrown at the next wait.
  void Throw(Node& node, std::exception_ptr exception);

  /// Withdraws an exception that is still to be thrown after another one.
  void Unthrow(const std::exception_ptr& exception);

  /// The time from now to the horizon of the run, as far as known.
  [[nodiscard]] Duration time_left() const noexcept;

  /// Conditions that, as far as known, do not come to hold up to the horizon.
  void AddOpen(ConditionWait& condition);
  void RemoveOpen(ConditionWait& condition) noexcept;

  void CountEvaluation() noexcept { ++statistics_.evaluations; }

  /// @throws Error kInvalidArgument unless a step or an evaluation is at work.
  void CheckMayRead(const CellCore& cell);

  Segments& segments() noexcept { return segments_; }

  // --- Logs, so that the run can be saved.

  /// True if reads of the step at work are logged or replayed, and its deeds
  /// added up.
  [[nodiscard]] bool logs_reads() const noexcept {
    return options_.snapshots && current_ != nullptr && !is_evaluating_;
  }

  [[nodiscard]] Deeds& deeds() const;

  /// The value that the task at work is told: computed and logged or, in a
  /// replay, the value in the log. Valid as long as the task.
  /// @throws Error kInvalidModel if the log has a value of another type.
  template <typename T, typename F>
  const T& Logged(F compute) {
    if (replay_ != nullptr) {
      const T* told = std::any_cast<T>(&NextReplayed());
      if (told == nullptr) {
        RefuseReplay(*current_);
      }
      return *told;
    }
    TaskLog& log = *logs_[current_->index];
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
    if constexpr (!Keeping<T>::kIsPossible) {
      logs_[current_->index]->has_unique_result = true;
      return compute();
    } else {
      std::optional<T> result;
      const auto& kept = Logged<typename Keeping<T>::Kept>(
          [&] { return Keeping<T>::Keep(result.emplace(compute())); });
      return result ? *std::move(result) : Keeping<T>::Again(kept);
    }
  }

  std::uint64_t NextOrder() noexcept { return ++next_order_; }

  // --- Records.

  [[nodiscard]] bool logs_events() const { return options_.records.events; }

  /// @returns true if the event, of the step at work, is kept.
  bool LogEvent(const EventSource& source, std::size_t number);
  void LogEvent(std::uint32_t segment,
                const EventSource& source,
                std::size_t number);

  /// The logged effects of a type.
  template <typename Effect>
  Column<Effect>& LoggedEffects() {
    std::any& column = logged_effects_[typeid(Effect)];
    if (!column.has_value()) {
      column.emplace<Column<Effect>>();
    }
    return *std::any_cast<Column<Effect>>(&column);
  }

  /// Records a sample of a resource that was evaluated.
  void AddSample(std::uint32_t resource,
                 std::variant<Polynomial, bool, std::string> reading);

  /// Evaluates the resource again `delay` from now; see WakeLater.
  void SampleLater(std::uint32_t resource, Duration delay);

  /// Adds an attribute to the span of the task at work.
  void Annotate(Record::Field field);

  [[nodiscard]] const Recording& recording() const noexcept {
    return *recording_;
  }

  void Warn(Duration at, std::string text);

  [[nodiscard]] std::uint64_t Moment() const noexcept;  // See Facility.

 private:
  // Distinguishes resources from tasks in the ids of the list of events.
  static constexpr std::uint32_t kResourceBit = std::uint32_t{1} << 31U;

  Node& NewFromOutside(const NewTask& task);
  void CheckCanSave() const;
  void NewLog(const Node& node);
  void LogStep(const Node& node);
  void DropTasks();
  void ReplayTasks(const SavedRun& saved);
  void ReplayTask(const Node& saved);
  Node& Adopt(const NewTask& task);
  const std::any& NextReplayed();
  [[noreturn]] void RefuseReplay(const Node& node) const;
  void RestoreWaits(const SavedRun& saved);
  void SampleAgain(const SavedRun& saved);

  void BeginPlan();
  void BeginPlanned(std::uint32_t entry, Duration at);
  void FollowPlan(std::shared_ptr<const Agenda> agenda);
  void DropPlanned(std::uint32_t task);
  [[nodiscard]] std::uint64_t OrderOf(const EventList::Entry& due) const;
  void BeginFollowers(const Node& node);

  void Start();
  void StartModels();
  void CarryOut(Duration time);
  void BeginInstant(Duration time);
  bool Microstep();
  void TakeDue(Duration time);
  void Begin(Node& node);
  void PrefetchNear();
  void EvaluateConditions();
  void RunBatch();
  void SpareMemory();
  void RunStep(std::uint32_t index);
  void RunShuffled();
  void RestoreOrder();
  void CommitCells();
  void ApplyOutcomes();
  void Apply(std::vector<Operation>& operations);
  void LetOthersEnd();
  void CompleteEnded();
  void SettleFacilities();
  void Complete(Node& node);
  [[nodiscard]] bool TellOfFailure(Node& node, const Thrown& thrown);
  void DeliverCancellation(Node& node);
  std::vector<std::uint32_t> TakeJoiners(Node& node);

  Node& RootNode();
  [[nodiscard]] std::uint64_t NextKey(const char* name, std::uint64_t place);
  Node& NewChild(Node& parent, const NewTask& task);
  void AddStep(Node& child, std::uint32_t base);
  void UndoStep();
  Node* CallerOf(const Node& node);

  void CountOperation() {
    if (--operations_left_ < 0) {
      FailUnyielding();
    }
  }

  [[noreturn]] void FailUnyielding() const;
  [[noreturn]] void FailSpawning(const Node& node);
  void CheckInStep(std::string_view purpose) const;
  void RethrowDelivered();
  void Schedule(Node& node, Duration at);
  void ScheduleIn(Node& node, Duration delay);
  void DropEntry(std::uint32_t& stamp);
  void SweepList();
  std::uint32_t AddEntry(Duration at, std::uint32_t id);
  [[nodiscard]] bool Holds(const EventList::Entry& entry) const;
  [[nodiscard]] Duration TimeAfter(Duration delay) const noexcept;
  [[nodiscard]] std::int64_t SinceStart(Duration time) const noexcept;
  std::uint32_t OpenSegment();
  void SampleResources();
  void RecordCommit();
  void BeginSpans();
  void EndSpan(const Node& node);
  void WakeNext(Node& node);
  static void EndFrame(Node& node) noexcept;
  void FreeIfOver(Node& node);
  void Unbind();
  [[noreturn]] void FailEndless();

  Model& root_;
  Options options_;
  std::unique_ptr<NodePool, ReleaseNodePool> nodes_;
  std::uint32_t root_node_ = kNoIndex;
  EventList list_;
  std::uint32_t next_stamp_ = 0;
  std::size_t stale_ = 0;  // Entries of the list that no longer count.
  std::uint32_t num_refills_ = 0;
  Duration last_due_{};   // The time last taken from the list.
  Duration end_of_time_;  // Times from here on do not fit the list.
  Duration now_{};
  Duration horizon_;
  std::vector<EventSource*> sources_;  // Cells and topics.
  std::vector<Stateful*> members_;

  // The batch at work.
  std::vector<internal::Step> steps_;
  // The steps of due tasks, at the front of steps_; spawned ones follow.
  std::size_t num_due_ = 0;
  // Small batches while there is memory for large ones.
  std::size_t num_small_batches_ = 0;
  Segments segments_;
  TouchedCells touched_;
  std::vector<Operation> operations_;
  // Come before operations_ in the next batch.
  std::vector<Operation> deferred_;
  std::vector<Posted> posted_;
  std::vector<Facility*> unsettled_;
  std::unordered_map<std::uint32_t, Thrown> thrown_;  // By task.
  std::vector<Node*> next_;  // Tasks of the next batch.

  // The step at work.
  Node* current_ = nullptr;
  std::uint32_t base_ = kNoIndex;
  std::uint32_t segment_ = kNoIndex;
  std::uint32_t step_ = kNoIndex;
  StepEnd end_ = StepEnd::kNone;
  std::int64_t operations_left_ = 0;
  bool is_flooding_ = false;     // It spawned more than max_spawned tasks.
  const void* stack_ = nullptr;  // Where its frames on the stack begin.

  bool is_evaluating_ = false;
  Reads reads_;
  std::vector<Dependent*> changed_;   // To be evaluated.
  std::vector<ConditionWait*> open_;  // See AddOpen; in any order.
  // Tasks in AnyOf for which something has come about.
  std::vector<Node*> deciding_;
  ExceptionsByTask delivered_;
  ExceptionsByTask failures_;    // Only if handles refer to the task.
  InterruptsByTask interrupts_;  // For tasks yet to begin.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> joiners_;
  // By task; only if the run can be saved.
  std::vector<std::shared_ptr<TaskLog>> logs_;
  std::unordered_map<std::uint32_t, Recipe> recipes_;  // By task, likewise.
  NameCounts names_from_outside_;
  NameHash name_hash_;
  std::uint64_t next_order_ = 0;
  Replay* replay_ = nullptr;
  std::unordered_map<std::uint64_t, std::uint32_t> adoptable_;  // By key.
  std::vector<std::uint32_t> adopted_;
  std::shared_ptr<const Agenda> agenda_;
  std::unordered_map<std::uint32_t, std::uint32_t> planned_;  // By task.
  std::unordered_map<std::string, Duration> finished_;        // By directive.
  std::vector<ResourceEntry> resources_;
  std::vector<Dependent*> changed_resources_;
  std::unique_ptr<Recording> recording_;
  LoggedEffectsByType logged_effects_;
  std::int64_t microstep_ = 0;
  std::vector<std::uint32_t> spans_of_;  // By task.
  std::vector<Annotation> annotations_;  // Made in the batch at work.
  Statistics statistics_;
  Warnings warnings_;
  bool has_started_ = false;
  bool has_begun_plan_ = false;
  bool is_running_ = false;
  bool has_failed_ = false;
};

}  // namespace internal
}  // namespace orrery::process
