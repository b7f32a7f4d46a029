#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "orrery/base/time.h"
#include "orrery/process/run/batch.h"
#include "orrery/process/run/calendar.h"
#include "orrery/process/run/evaluations.h"
#include "orrery/process/run/facility_queue.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/plan_progress.h"
#include "orrery/process/run/recorder.h"
#include "orrery/process/run/run_members.h"
#include "orrery/process/run/step_at_work.h"
#include "orrery/process/run/task_exceptions.h"
#include "orrery/process/run/task_logs.h"
#include "orrery/process/run/task_replay.h"
#include "orrery/process/run/task_table.h"
#include "orrery/process/run/transactions.h"
#include "orrery/process/run/warnings.h"
#include "orrery/process/types/options.h"

namespace orrery::process::internal {

struct ResolvedPlan;

/// The context of a run: its parts, each with an interface of its own. What
/// concerns several parts is a function on the run; those of the floor `engine`
/// take it on, see `engine/instant.h`.
class Run {
 public:
  /// @param to_follow the plan; may be null.
  Run(Model& root,
      const Options& wanted,
      std::shared_ptr<const ResolvedPlan> to_follow);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] Duration now() const noexcept { return calendar.now(); }

  [[nodiscard]] NodePool& nodes() noexcept { return tasks.pool(); }

  /// True once the run is being destroyed, and while its tasks are replaced.
  [[nodiscard]] bool is_over() const noexcept {
    return tasks.pool().run == nullptr;
  }

  /// True if something is left to do at the time of the last microstep.
  [[nodiscard]] bool has_work() const noexcept {
    return evaluations.has_conditions() || !tasks.ready().empty();
  }

  /// The next time at which something is due.
  [[nodiscard]] Duration NextTime() {
    return has_started && !has_work() ? calendar.NextTime() : now();
  }

  /// The order of a wait among those that may go on together.
  std::uint64_t NextOrder() noexcept { return ++next_order; }

  /// Is called by resources when the run begins.
  /// @returns its number.
  std::uint32_t AddResource(Resource& resource);

  /// @throws Error kInvalidArgument while a step or an instant is at work.
  void CheckIsIdle(std::string_view purpose) const;

  /// @throws Error kInvalidArgument if the run has failed.
  void CheckGoesOn() const;

  void Warn(Duration at, std::string text) {
    if (!replay.is_at_work()) {
      warnings.Add(at, std::move(text));
    }
  }

  const Options options;

  RunMembers members;
  Calendar calendar;
  TaskLogs logs;
  TaskReplay replay;
  TaskTable tasks;
  TaskExceptions exceptions;
  Batch batch;
  Transactions transactions;
  Evaluations evaluations;
  StepAtWork step;
  FacilityQueue facilities;
  PlanProgress plan;
  Recorder recorder;
  Statistics statistics;
  Warnings warnings;

  std::int64_t microstep = 0;  ///< Batches of this instant so far.
  std::uint64_t next_order = 0;
  NameCounts names_from_outside;
  bool has_started = false;
  bool is_running = false;
  bool has_failed = false;
};

}  // namespace orrery::process::internal
