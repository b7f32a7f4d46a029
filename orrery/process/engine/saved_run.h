#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/base/containers/event_list.h"
#include "orrery/base/time.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/run/node.h"
#include "orrery/process/run/run.h"
#include "orrery/process/run/task_log.h"
#include "orrery/process/run/warnings.h"
#include "orrery/process/tasks/wait.h"
#include "orrery/process/types/options.h"

namespace orrery::process::internal {

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
  Duration now{};
  Duration horizon{};
  Duration last_due{};
  bool has_begun_plan = false;
  bool has_started = false;
  std::uint32_t root_node = kNoIndex;
  std::uint32_t next_stamp = 0;
  std::size_t stale = 0;
  NameCounts names_from_outside;
  std::uint64_t next_order = 0;
  EventList list;
  NodeTable nodes;
  std::vector<Task> tasks;
  std::vector<std::uint32_t> open;  ///< Tasks whose conditions are open.
  std::vector<std::shared_ptr<const void>> sources;
  std::vector<std::shared_ptr<const void>> members;
  std::vector<std::uint32_t> resource_stamps;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> joiners;
  ExceptionsByTask failures;
  InterruptsByTask interrupts;
  std::unordered_map<std::uint32_t, Recipe> recipes;
  std::unordered_map<std::uint32_t, std::uint32_t> planned;
  std::shared_ptr<const Agenda> agenda;
  std::unordered_map<std::string, Duration> finished;
  Recording recording;
  LoggedEffectsByType logged_effects;
  std::vector<std::uint32_t> spans_of;
  Statistics statistics;
  Warnings warnings;
};

}  // namespace orrery::process::internal
