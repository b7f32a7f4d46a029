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

/// All that a task has done, as one number: the same if another one did that.
class Deeds {
 public:
  void Add(std::uint64_t what) noexcept { done_ = MixKeys(done_, what); }

  void Add(std::string_view name) { Add(StableHash(name)); }

  /// An effect on a cell, or what was said on a topic: as far as a log of
  /// events shows it.
  template <typename T>
  void AddEvent(std::string_view source, const T& what) {
    Add(source);
    if constexpr (Record::Takes<T>()) {
      Record shown;
      shown.Add("", what);
      Add(shown);
    }
  }

  friend bool operator==(const Deeds&, const Deeds&) = default;

 private:
  void Add(const Record& shown);

  std::uint64_t done_ = 0;
};

/// What a task has been told: enough to bring another coroutine of the same
/// function to where it is. Runs that are saved keep one for each task.
struct TaskLog {
  struct Step {
    Duration time;
    std::exception_ptr delivered;  ///< Thrown where it waited; or null.
  };

  std::vector<Step> steps;
  std::deque<std::any> values;  ///< That it read.
  Deeds deeds;
  bool has_unique_result = false;  ///< One that cannot be copied.
};

/// A log that goes on, up to where it was at some time.
struct LogMark {
  std::size_t steps = 0;
  std::size_t values = 0;
  Deeds deeds;
};

/// A task that is brought to where another was.
struct Replay {
  const TaskLog* log = nullptr;
  LogMark end;
  std::size_t next_value = 0;
  Deeds deeds;
};

}  // namespace orrery::process::internal
