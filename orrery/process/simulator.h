#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/engine/outside_tasks.h"
#include "orrery/process/model/cell.h"
#include "orrery/process/model/model.h"
#include "orrery/process/plan/plan.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/types/options.h"

namespace orrery::process {

/// The whole state of a run at one of its times. Cheap to copy.
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

  /// A run that carries out a plan. The tasks of `Model::Start` come first: an
  /// activity at the very start belongs to the batch after them. The span of an
  /// activity has its id, as `directive`, and all its arguments as attributes.
  /// @throws Error kInvalidArgument also for a plan with errors, with all that
  ///     FindProblems finds as diagnostics.
  Simulator(Model& model, const Plan& plan, const Options& options = {});
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  /// The time of the last instant or, if later, the end up to which it was run.
  [[nodiscard]] Duration now() const noexcept;

  /// The time at which something is due next; Duration::max() if nothing is.
  [[nodiscard]] Duration next_time() const;

  /// Carries out all that is due up to `end`, the instant of `end` included.
  /// @throws Error kInvalidModel if a task fails and nobody waits for it, with
  ///     its ancestry and the time, the exception nested in it; or if batches
  ///     at one time do not end. What the other tasks did in that batch is
  ///     committed and can be read; the run cannot go on.
  void RunUntil(Duration end);

  /// Goes on until `task` is over, the instant of its end included, and gives
  /// its result.
  /// @throws Error as RunUntil; kInvalidModel also if the task is not over when
  ///     nothing is due any more, or after `Options::max_instants` times; and
  ///     Cancelled if it was cancelled.
  template <typename T>
  T RunUntil(const Handle<T>& task) {
    RunUntilOver(task.reference());
    if constexpr (!std::is_void_v<T>) {
      return internal::ResultOf<T>(task.reference());
    }
  }

  /// Goes on until nothing is due any more.
  /// @throws Error as RunUntil; kInvalidModel also if something is still due
  ///     after `Options::max_instants` times; the run can go on from there.
  void Run();

  /// Carries out the next instant at which something is due.
  /// @returns true if there was one.
  bool Step();

  /// Lets a task begin at time `at`.
  /// @throws Error kInvalidArgument if that has passed.
  template <typename T>
  Handle<T> Spawn(Task<T> task, Duration at = {}) {
    const char* name = task.name();
    internal::CheckMaySpawnAt(*run_, name, at);
    return Handle<T>(internal::TaskReference(
        run_->nodes(),
        internal::SpawnAt(*run_, task.Release(*run_), name, at)));
  }

  /// The same for runs that are saved and restored, which make the task again.
  /// @param make returns the task, a Task<>.
  template <std::invocable F>
  Handle<> Spawn(F make, Duration at = {}) {
    const char* name = make().name();
    internal::CheckMaySpawnAt(*run_, name, at);
    const internal::Recipe recipe = [make =
                                         std::move(make)](internal::Run& run) {
      return make().Release(run);
    };
    internal::TaskReference task(run_->nodes(),
                                 internal::SpawnAt(*run_, recipe, name, at));
    return Handle<>{std::move(task)};
  }

  /// A snapshot of the run. Needs Options::snapshots.
  /// @throws Error kInvalidArgument without them, if a task was spawned from
  ///     outside without a function that makes it, or if the run has
  ///     unprocessed input from between two instants; kUnsupported for
  ///     facilities that hold, or tasks that were given, objects that cannot be
  ///     copied.
  [[nodiscard]] Snapshot Save() const;

  /// Goes back, or on, to a snapshot of this run, any number of times. The run
  /// that follows is the same to the bit. Coroutines are replayed with the
  /// values that they had read, without effects. Handles to tasks that are kept
  /// outside of coroutines become invalid.
  /// @throws Error kInvalidArgument for a snapshot of another run;
  ///     kInvalidModel, naming it, if a replayed task does something else than
  ///     before: it then depends on data that is neither in a cell nor an
  ///     argument. After that the run can only be restored again. Compared are,
  ///     step by step and in their order: the cells and topics it acts on, with
  ///     what a log of events shows of each effect (`Describe`; of a Variable's
  ///     function the name); the names of what it spawns, calls and draws from;
  ///     how the step ends, and its delay if it ends by one; the number and
  ///     types of what it reads, and the facility it waits for in the end. Not
  ///     compared are effects that are shown as "..." or not at all,
  ///     conditions, and what is asked of a facility.
  void Restore(const Snapshot& snapshot);

  /// Goes back to a snapshot and follows another plan from there. The results
  /// are those of a run of that plan from the start.
  /// @throws Error also kInvalidArgument if the plans differ in activities that
  ///     begin, or may begin, up to the snapshot (see FirstChange), or for a
  ///     plan with errors.
  void Restore(const Snapshot& snapshot, const Plan& plan);

  /// The value of a cell, between steps.
  template <CellType C>
  [[nodiscard]] decltype(auto) Get(const BasicCell<C>& cell) const {
    run_->CheckIsIdle("read a cell");
    return cell.slot("read").Committed().Value();
  }

  /// The tasks that wait without a time, by their names, with a text: "level >
  /// 3", "one of (level > 3, open == true)". A task that waits for one of
  /// several things, one of which has a time, is not listed, nor are the parts
  /// of that wait. When nothing is due any more, nothing will wake the listed
  /// tasks.
  [[nodiscard]] std::vector<WaitingTask> waiting() const;

  /// The activities of the plan that have not begun because an activity before
  /// them is not over, in the order of the plan.
  [[nodiscard]] std::vector<UnbegunActivity> unbegun() const;

  [[nodiscard]] const Statistics& statistics() const noexcept;

  /// The records of the run so far. Valid as long as the run.
  [[nodiscard]] const Recording& recording() const noexcept;

  /// Warnings: conflicts of concurrent effects, if their cells were read; and
  /// failures that nobody waited for any more. The first hundred by their
  /// times, and the number of the others.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  friend class Stepper;

  void StepWhile(const std::function<bool()>& goes_on);
  void RunUntilOver(const internal::TaskReference& task);

  std::unique_ptr<internal::Run> run_;
};

}  // namespace orrery::process
