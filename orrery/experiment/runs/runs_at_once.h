#pragma once

#include <algorithm>
#include <cstdint>

#include "orrery/base/time.h"

namespace orrery::experiment::internal {

/// Chooses the number of runs to carry out at once: as many as take half of the
/// longest delay of reports, but at least the number that runs side by side.
class RunsAtOnce {
 public:
  explicit RunsAtOnce(Duration longest_delay) : longest_(longest_delay / 2) {}

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  /// Takes note of the time that `count()` runs took, and of the number that
  /// runs side by side.
  void Took(Duration time, std::int64_t side_by_side) noexcept {
    if (time > longest_) {
      count_ /= 2;
    } else if (2 * time < longest_) {
      count_ *= 2;
    }
    count_ = std::clamp(count_, side_by_side, kMost);
  }

 private:
  static constexpr std::int64_t kMost = 4096;

  Duration longest_;
  std::int64_t count_ = 1;
};

}  // namespace orrery::experiment::internal
