#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::process::internal {

/// What a task has been told: enough to bring another coroutine of the same
/// function to where it is. Runs that are saved keep one for each task.
struct TaskLog {
  struct Step {
    Duration time;
    std::exception_ptr delivered;  ///< Thrown where it waited; or null.
  };

  std::vector<Step> steps;
  std::deque<std::any> values;     ///< That it read.
  bool has_unique_result = false;  ///< One that cannot be copied.
};

/// A log that goes on, up to where it was at some time.
struct LogMark {
  std::size_t steps = 0;
  std::size_t values = 0;
};

/// A task that is brought to where another was.
struct Replay {
  const TaskLog* log = nullptr;
  LogMark end;
  std::size_t next_value = 0;
};

}  // namespace orrery::process::internal
