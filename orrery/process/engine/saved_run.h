#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "orrery/process/record/recording.h"
#include "orrery/process/run/calendar.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/plan_progress.h"
#include "orrery/process/run/run_members.h"
#include "orrery/process/run/task_log.h"
#include "orrery/process/run/task_logs.h"
#include "orrery/process/run/task_table.h"
#include "orrery/process/run/warnings.h"
#include "orrery/process/tasks/wait.h"
#include "orrery/process/types/column.h"
#include "orrery/process/types/options.h"

namespace orrery::process::internal {

/// The records of a run in a snapshot.
struct SavedRecords {
  Recording recording;
  LoggedEffectsByType logged_effects;
  std::vector<std::uint32_t> spans_of;
};

/// A run between two instants, without its coroutines: these are replayed by
/// their logs.
struct SavedRun {
  struct Task {
    std::uint32_t index = kNoIndex;
    std::shared_ptr<const TaskLog> log;
    LogMark end;
    SavedWait wait;
  };

  const Run* run = nullptr;
  Calendar::Saved calendar;
  bool has_started = false;
  NameCounts names_from_outside;
  std::uint64_t next_order = 0;
  TaskTable::Saved tasks;
  std::vector<Task> logs;
  std::vector<std::uint32_t> open;  ///< Tasks whose conditions are open.
  RunMembers::Saved members;
  InterruptsByTask interrupts;
  RecipesByTask recipes;
  PlanProgress plan;
  SavedRecords records;
  Statistics statistics;
  Warnings warnings;
};

}  // namespace orrery::process::internal
