#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <string_view>
#include <vector>

#include "orrery/base/numbers/random.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/run/node.h"

namespace orrery::process::internal {

/// A hash of all that a task has done. A task that does the same again has the
/// same hash.
class TaskLogHash {
 public:
  void Add(std::uint64_t what) noexcept { hash_ = MixKeys(hash_, what); }

  void Add(std::string_view name) { Add(StableHash(name)); }

  /// Adds an effect on a cell or a message on a topic, as a log of events would
  /// show it.
  template <typename T>
  void AddEvent(std::string_view source, const T& what) {
    Add(source);
    if constexpr (Record::Takes<T>()) {
      Record shown;
      shown.Add("", what);
      Add(shown);
    }
  }

  friend bool operator==(const TaskLogHash&, const TaskLogHash&) = default;

 private:
  void Add(const Record& shown);

  std::uint64_t hash_ = 0;
};

/// The log of the values that a task was told. It suffices to bring another
/// coroutine of the same function to the same point. Runs that can be saved
/// keep one for each task.
struct TaskLog {
  struct Step {
    Duration time;
    std::exception_ptr delivered;  ///< Thrown where it waited; or null.
  };

  std::vector<Step> steps;
  std::deque<std::any> values;  ///< Values that the task read.
  TaskLogHash hash;
  /// It was given a result that cannot be copied.
  bool has_unique_result = false;
};

/// A position in a log.
struct LogMark {
  std::size_t steps = 0;
  std::size_t values = 0;
  TaskLogHash hash;
};

}  // namespace orrery::process::internal
