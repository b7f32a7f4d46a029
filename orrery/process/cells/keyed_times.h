#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::process::internal {

/// The position of a cell in a table of times, which its copies share. The
/// times rise and are relative to the start of the cell.
class KeyedTimes {
 public:
  /// @param what the owner of the times, for messages: "steps".
  /// @throws Error kInvalidArgument if they do not rise.
  KeyedTimes(std::string_view what, std::vector<Duration> times);

  void Step(Duration dt);

  /// The number of times at or before now.
  [[nodiscard]] std::size_t num_past() const { return num_past_; }

  /// The duration until the next time; none after the last.
  [[nodiscard]] std::optional<Duration> UntilNext() const;

  /// The duration since time `index`.
  [[nodiscard]] Duration Since(std::size_t index) const {
    return elapsed_ - (*times_)[index];
  }

  [[nodiscard]] std::span<const Duration> times() const { return *times_; }

  friend bool operator==(const KeyedTimes& a, const KeyedTimes& b) {
    return a.elapsed_ == b.elapsed_ && *a.times_ == *b.times_;
  }

 private:
  std::shared_ptr<const std::vector<Duration>> times_;
  Duration elapsed_{0};
  std::size_t num_past_ = 0;
};

}  // namespace orrery::process::internal
