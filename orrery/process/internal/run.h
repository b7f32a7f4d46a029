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

#include "orrery/base/event_list.h"
#include "orrery/base/random.h"
#include "orrery/base/record.h"
#include "orrery/base/time.h"
#include "orrery/process/internal/column.h"
#include "orrery/process/internal/dependent.h"
#include "orrery/process/internal/keeping.h"
#include "orrery/process/internal/node.h"
#include "orrery/process/internal/steps.h"
#include "orrery/process/internal/task_log.h"
#include "orrery/process/internal/warnings.h"
#include "orrery/process/options.h"
#include "orrery/process/polynomial.h"

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

/// The engine of a run, in batches of what is due at one time: their steps see
/// the cells as the batch before left them, and beside it what they themselves
/// and those that spawned them did; then all effects are committed together.
class Run {
 public:
  /// @param agenda what it is to carry out; may be null.
  Run(Model& root,
      const Options& options,
      std::shared_ptr<const Agenda> agenda);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// For members of its models, when it begins.
  void AddSource(EventSource& source);
  void AddMember(Stateful& member);

  /// @returns its number.
  std::uint32_t AddResource(Resource& resource);

  /// Of the caller's side: see Simulator.
  void RunUntil(Duration end);
  bool Step();

  /// For Stepper.
  void GoOnTo(Duration horizon);
  bool RunMicrostep(Duration time, bool is_first);
  void EndMicrostep();

  [[nodiscard]] bool has_work() const noexcept;
  void EndInstant();
  void MarkOpen();
  /// Before a coroutine is handed over to one of the next two.
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

  // --- What a step of a task does.

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

  /// Before a coroutine is handed over to one of the next three.
  /// @throws Error kInvalidArgument unless a task of the run is at work,
  ///     kInvalidModel if its step never ends.
  void CheckMaySpawn();

  /// @throws Error kInvalidArgument for a lambda that ends with the step.
  void CheckOutlives(const void* lambda) const;

  /// The first step of the new task is part of this batch.
  /// @param task its key is that of the model that spawns it.
  Node& Spawn(const NewTask& task);

  /// Ends the step until the new one and all that it spawns are over.
  Node& Call(const NewTask& task, internal::Wait& wait);

  /// Ends it, since the task at work no longer waits for it.
  void CancelCalled(Node& target) noexcept;

  /// In the next batch throws `reason` where `target` waits; null: ends it.
  void Stop(Node& target, std::exception_ptr reason);

  /// Ends the step: the task goes on when `needed` of the new ones are over.
  /// @param tasks get the new ones, each with a handle too many.
  void CallAll(std::span<const AwaitedPart> parts,
               std::uint32_t needed,
               internal::Wait& wait,
               std::span<Node*> tasks);

  /// What becomes of others that were called does not matter any more.
  void LeaveCall() noexcept { ++current_->calls; }

  /// A stream of random numbers that is the task's own, another each time.
  [[nodiscard]] RandomStream Random(std::string_view name);

  /// When the batch is committed: `facility.OnPosted(argument)`.
  void Post(Facility& facility, std::uint64_t argument, PostKind kind);

  /// Throws what was delivered to the task that is at work.
  void ThrowDelivered() {
    if (current_->has_exception) {
      RethrowDelivered();
    }
  }

  /// The task at work no longer waits for the end of `joined`.
  void StopJoining(Node& joined);

  /// What a task that is over gives instead of a result; null if it has one.
  [[nodiscard]] std::exception_ptr FailureOf(const Node& node) const;

  /// The exception that its coroutine did not catch.
  void OnException(std::exception_ptr exception);

  /// The last handle of a task that is over has gone.
  void OnUnused(Node& node) {
    if (node.state == TaskState::kEnded) {
      FreeIfOver(node);
    }
  }

  // --- What cells need.

  /// The segment of the batch that an effect on `cell` now belongs to.
  std::uint32_t SegmentForEffect(CellCore& cell);

  /// The last segment whose effects the step at work sees, or kNoIndex.
  [[nodiscard]] std::uint32_t tip() const noexcept {
    return segment_ != kNoIndex ? segment_ : base_;
  }

  /// Whether all effects of the batch are those of the only step.
  [[nodiscard]] bool is_alone() const noexcept { return steps_.size() == 1; }

  /// Makes the task go on in the next batch, if it waits.
  void WakeNow(Node& node);

  /// A task with those that spawned it: "day > Drive".
  [[nodiscard]] std::string Ancestry(const Node& node) const;

  /// Lets the wait of the task be due `delay` later, at no time if that is
  /// Duration::max(); no longer when it was to be before.
  void WakeLater(Node& node, Duration delay);

  /// All of the list, in the next of both.
  void MarkDependents(Link* first);

  /// Evaluates `dependent` before the next batch or, if it takes samples, at
  /// the end of the instant.
  void MarkChanged(Dependent& dependent);

  void MarkForSettling(Facility& facility);

  /// Calls `evaluate`, which reads what is then in `reads`.
  template <typename F>
  auto Evaluating(F evaluate) {
    reads_.Clear();
    const WhileTrue evaluating(is_evaluating_);
    return evaluate();
  }

  /// Of the evaluation at work, or the last one.
  [[nodiscard]] Reads& reads() noexcept { return reads_; }

  [[nodiscard]] bool is_evaluating() const noexcept { return is_evaluating_; }

  /// Ends the wait of the task with `exception`, in the next batch.
  /// @returns false if something else has ended it: a task is told of one.
  bool Deliver(Node& node, std::exception_ptr exception);

  /// Throws `exception` where the task waits, in the next batch; if it is told
  /// of something else then, where it waits after that.
  void Throw(Node& node, std::exception_ptr exception);

  /// The same exception, if it has yet to be thrown after another: not at all.
  void Unthrow(const std::exception_ptr& exception);

  /// How much longer the run will go on, as far as is known.
  [[nodiscard]] Duration time_left() const noexcept;

  /// The list of the conditions of which no time up to the horizon is known.
  void AddOpen(ConditionWait& condition);
  void RemoveOpen(ConditionWait& condition) noexcept;

  void CountEvaluation() noexcept { ++statistics_.evaluations; }

  /// @throws Error kInvalidArgument unless a step or an evaluation is at work.
  void CheckMayRead(const CellCore& cell);

  Segments& segments() noexcept { return segments_; }

  // --- What is kept so that the run can be saved.

  /// Whether reads of the step at work are kept or told again, deeds added up.
  [[nodiscard]] bool logs_reads() const noexcept {
    return options_.snapshots && current_ != nullptr && !is_evaluating_;
  }

  [[nodiscard]] Deeds& deeds() const;

  /// What the task at work is told: computed and kept, or what it was told when
  /// it was here before. Holds as long as the task.
  /// @throws Error kInvalidModel if it was told something else then.
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

  /// The same for a result, which is kept only if there can be another.
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

  // --- What is recorded.

  [[nodiscard]] bool logs_events() const { return options_.records.events; }

  /// @returns whether the event, of the step at work, is kept.
  bool LogEvent(const EventSource& source, std::size_t number);
  void LogEvent(std::uint32_t segment,
                const EventSource& source,
                std::size_t number);

  /// The effects that are events, by their type.
  template <typename Effect>
  Column<Effect>& LoggedEffects() {
    std::any& column = logged_effects_[typeid(Effect)];
    if (!column.has_value()) {
      column.emplace<Column<Effect>>();
    }
    return *std::any_cast<Column<Effect>>(&column);
  }

  /// Of a resource that is evaluated.
  void AddSample(std::uint32_t resource,
                 std::variant<Polynomial, bool, std::string> reading);

  /// Evaluates it again `delay` later, as WakeLater.
  void SampleLater(std::uint32_t resource, Duration delay);

  /// Adds an attribute to the span of the task at work.
  void Annotate(Record::Field field);

  [[nodiscard]] const Recording& recording() const noexcept {
    return *recording_;
  }

  void Warn(Duration at, std::string text);

  [[nodiscard]] std::uint64_t Moment() const noexcept;  // See Facility.

 private:
  // Tells the numbers of resources in the list from those of tasks.
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
  std::size_t stale_ = 0;  // Entries that no longer hold.
  std::uint32_t num_refills_ = 0;
  Duration last_due_{};   // Taken from the list.
  Duration end_of_time_;  // What the list cannot hold any more.
  Duration now_{};
  Duration horizon_;
  std::vector<EventSource*> sources_;  // The cells and topics.
  std::vector<Stateful*> members_;

  // The batch at work.
  std::vector<internal::Step> steps_;
  std::size_t num_due_ = 0;            // The first of these.
  std::size_t num_small_batches_ = 0;  // While there is room for large ones.
  Segments segments_;
  TouchedCells touched_;
  std::vector<Operation> operations_;
  std::vector<Operation> deferred_;  // From the batch before, to be first.
  std::vector<Posted> posted_;
  std::vector<Facility*> unsettled_;
  std::unordered_map<std::uint32_t, Thrown> thrown_;  // By task.
  std::vector<Node*> next_;  // Tasks of the batch after it.

  // The step at work.
  Node* current_ = nullptr;
  std::uint32_t base_ = kNoIndex;
  std::uint32_t segment_ = kNoIndex;
  std::uint32_t step_ = kNoIndex;
  StepEnd end_ = StepEnd::kNone;
  std::int64_t operations_left_ = 0;
  bool is_flooding_ = false;     // It spawned one task too many.
  const void* stack_ = nullptr;  // Where its frames on the stack begin.

  bool is_evaluating_ = false;
  Reads reads_;
  std::vector<Dependent*> changed_;   // That wait for their evaluation.
  std::vector<ConditionWait*> open_;  // In any order.
  std::vector<Node*> deciding_;       // For the first of several things.
  ExceptionsByTask delivered_;
  ExceptionsByTask failures_;    // Of those that handles refer to.
  InterruptsByTask interrupts_;  // Of those that have yet to begin.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> joiners_;
  // By task, if the run can be saved.
  std::vector<std::shared_ptr<TaskLog>> logs_;
  std::unordered_map<std::uint32_t, Recipe> recipes_;  // Of those.
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
  std::vector<Annotation> annotations_;  // Of the batch at work.
  Statistics statistics_;
  Warnings warnings_;
  bool has_started_ = false;
  bool has_begun_plan_ = false;
  bool is_running_ = false;
  bool has_failed_ = false;
};

}  // namespace internal
}  // namespace orrery::process
