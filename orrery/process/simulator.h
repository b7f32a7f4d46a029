#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/model/cell.h"
#include "orrery/process/model/model.h"
#include "orrery/process/plan/plan.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/types/options.h"

namespace orrery::process {

/// All that changes in a run, at one of its times. Cheap to copy.
class Snapshot {
 public:
  [[nodiscard]] Duration time() const noexcept;

 private:
  friend class Simulator;

  std::shared_ptr<const internal::SavedRun> saved_;
};

/// A run of a model of tasks. For one thread.
///
///     Rover rover;
///     process::Simulator run(rover);
///     run.RunUntil(24h);
///     run.Get(rover.battery);
class Simulator {
 public:
  /// @param model must outlive the run, and be in no other.
  /// @throws Error kInvalidArgument for a model that is in another run, or
  ///     options out of range.
  explicit Simulator(Model& model, const Options& options = {});

  /// The same for a model that has a plan to carry out. What models begin with
  /// comes first: an activity at the very start is of the batch after it. The
  /// span of an activity has its id, as `directive`, and all of its arguments
  /// as attributes.
  /// @throws Error kInvalidArgument also for a plan in which something is
  ///     wrong, with all that FindProblems finds as diagnostics.
  Simulator(Model& model, const Plan& plan, const Options& options = {});
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  /// Where it is: the time of the last instant or, if later, up to which it was
  /// run.
  [[nodiscard]] Duration now() const noexcept;

  /// When something is due next; Duration::max() if nothing is.
  [[nodiscard]] Duration next_time() const;

  /// Carries out all that is due up to `end`, the instant of `end` included.
  /// @throws Error kInvalidModel if a task fails and nobody waits for it, with
  ///     its ancestry and the time, the exception nested in it; or if batches
  ///     at one time do not end. What the other tasks did in that batch is
  ///     committed and can be read; the run cannot go on.
  void RunUntil(Duration end);

  /// Goes on until `task` is over, the instant of its end included, and gives
  /// its result.
  /// @throws Error as RunUntil; kInvalidModel also if nothing is due any more
  ///     before, or something still after `Options::max_instants` times; and
  ///     Cancelled if it was cancelled.
  template <typename T>
  T RunUntil(const Handle<T>& task) {
    RunUntilOver(task.reference());
    if constexpr (!std::is_void_v<T>) {
      return internal::ResultOf<T>(task.reference());
    }
  }

  /// Goes on until nothing is due any more.
  /// @throws Error as RunUntil; kInvalidModel also if something is due still
  ///     after `Options::max_instants` times: the run may go on from there.
  void Run();

  /// Carries out the next instant at which something is due.
  /// @returns whether there was one.
  bool Step();

  /// Lets a task begin at `at`, from now on.
  template <typename T>
  Handle<T> Spawn(Task<T> task, Duration at = {}) {
    const char* name = task.name();
    run_->CheckMaySpawnAt(name, at);
    return Handle<T>(internal::TaskReference(
        run_->nodes(), run_->SpawnAt(task.Release(*run_), name, at)));
  }

  /// The same for a task that can be made again: in runs that are saved and
  /// restored.
  /// @param make returns the task, a Task<>.
  template <std::invocable F>
  Handle<> Spawn(F make, Duration at = {}) {
    const char* name = make().name();
    run_->CheckMaySpawnAt(name, at);
    const internal::Recipe recipe = [make =
                                         std::move(make)](internal::Run& run) {
      return make().Release(run);
    };
    internal::TaskReference task(run_->nodes(),
                                 run_->SpawnAt(recipe, name, at));
    return Handle<>{std::move(task)};
  }

  /// The run as it is now. Needs Options::snapshots.
  /// @throws Error kInvalidArgument without them, if a task was made outside
  ///     of the run that cannot be made again, or if something was done to it
  ///     between two instants that it has not dealt with; kUnsupported for
  ///     facilities that hold, and tasks that were given, what cannot be
  ///     copied.
  [[nodiscard]] Snapshot Save() const;

  /// Goes back, or on, to a snapshot of this run, any number of times: what
  /// follows is the same to the bit. Coroutines come back by being carried out
  /// again with what they had read, which acts on nothing. Handles to tasks
  /// that are held outside of them are of a run that is over.
  /// @throws Error kInvalidArgument for a snapshot of another run;
  ///     kInvalidModel, naming it, if a task then does something else than it
  ///     did: it depends on what is neither a cell nor an argument. The run
  ///     can then only be restored again. Compared are, step by step and in
  ///     their order: the cells and topics it acts on, with what a log of
  ///     events shows of each effect (`Describe`; of a Variable's function the
  ///     name); the names of what it spawns, calls and draws from; how the step
  ///     ends, and for how long if by a delay; the number and types of what it
  ///     reads, and the facility it waits for in the end. Not compared are
  ///     effects that are shown as "..." or not at all, conditions, and what
  ///     is asked of a facility.
  void Restore(const Snapshot& snapshot);

  /// Goes back to a snapshot and follows another plan from there: what comes
  /// is what a run of that plan from the start would come to.
  /// @throws Error also kInvalidArgument if the plans differ in what begins, or
  ///     may begin, up to the snapshot (see FirstChange), or for a plan in
  ///     which something is wrong.
  void Restore(const Snapshot& snapshot, const Plan& plan);

  /// The value of a cell, between steps.
  template <CellType C>
  [[nodiscard]] decltype(auto) Get(const BasicCell<C>& cell) const {
    run_->CheckIsIdle("read a cell");
    return cell.slot("read").Committed().Value();
  }

  /// Those that wait without a time, by their names, and for what: "level > 3",
  /// "one of (level > 3, open == true)". Who waits for one of several
  /// things, of which one is a time, is not among them, nor is what is part of
  /// that wait. When nothing is due any more, nothing will wake them.
  [[nodiscard]] std::vector<WaitingTask> waiting() const;

  /// Activities of the plan that have not begun since what they come after has
  /// not ended: in the order of the plan.
  [[nodiscard]] std::vector<UnbegunActivity> unbegun() const;

  [[nodiscard]] const Statistics& statistics() const noexcept;

  /// What is kept of the run so far. Holds as long as the run.
  [[nodiscard]] const Recording& recording() const noexcept;

  /// Conflicts of concurrent effects, as far as their cells were read, and
  /// failures that nobody waited for any more: the first hundred by their
  /// times, and how many more there were.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  friend class Stepper;

  void StepWhile(const std::function<bool()>& goes_on);
  void RunUntilOver(const internal::TaskReference& task);

  std::unique_ptr<internal::Run> run_;
};

}  // namespace orrery::process
