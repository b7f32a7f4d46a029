#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/store/experiment_record.h"

namespace orrery::experiment::internal {

/// Runs to be carried out, drawn in their order.
class PendingRanges {
 public:
  explicit PendingRanges(std::span<const RunRange> todo)
      : todo_(todo.begin(), todo.end()) {
    for (const RunRange& range : todo) {
      left_ += range.count;
    }
  }

  /// Number of runs that have not been drawn.
  [[nodiscard]] std::int64_t left() const noexcept { return left_; }

  /// Draws at least one and up to `most` consecutive runs; none if there are no
  /// more.
  RunRange Draw(std::int64_t most) {
    while (next_ < todo_.size() && todo_[next_].count == 0) {
      ++next_;
    }
    if (next_ == todo_.size()) {
      return {};
    }
    RunRange& range = todo_[next_];
    const RunRange drawn{
        .first = range.first,
        .count = std::min(std::max<std::int64_t>(most, 1), range.count)};
    range.first += drawn.count;
    range.count -= drawn.count;
    left_ -= drawn.count;
    return drawn;
  }

 private:
  std::vector<RunRange> todo_;
  std::size_t next_ = 0;
  std::int64_t left_ = 0;
};

}  // namespace orrery::experiment::internal
