#pragma once

#include <algorithm>
#include <cstdint>

#include "orrery/base/time.h"

namespace orrery::internal {

/// How many runs to carry out at once: as many as take a small part of a time
/// after which somebody wants to hear of them.
class RunsAtOnce {
 public:
  explicit RunsAtOnce(Duration longest_delay) : longest_(longest_delay / 8) {}

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  /// Hears how long `count()` of them have taken.
  void Took(Duration time) noexcept {
    if (time > longest_) {
      count_ = std::max<std::int64_t>(count_ / 2, 1);
    } else if (2 * time < longest_) {
      count_ = std::min<std::int64_t>(2 * count_, kMost);
    }
  }

 private:
  static constexpr std::int64_t kMost = 4096;

  Duration longest_;
  std::int64_t count_ = 1;
};

}  // namespace orrery::internal
