#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "orrery/base/files/state_stream.h"

namespace orrery::sim::internal {

/// Watches the pace of the events of a run.
class EventPace {
 public:
  struct PaceFailure {
    bool is_zeno = false;  ///< Ever faster; else many events at one time.
    double limit = 0;      ///< Limit of a Zeno sequence's times, s.
  };

  /// @param max_consecutive limit on events at one time, but for rounding.
  /// @param span length of the run in s. Near time 0, a small part of it is the
  ///     scale of short times.
  explicit EventPace(int max_consecutive, double span = 0)
      : max_consecutive_(max_consecutive), span_(span) {}

  /// Notes an event at `t`, not before that of the last call.
  /// @returns trouble with the pace. Either many cycles of events in a row
  ///     (impacts, or an impact and a standstill) are each shorter than the one
  ///     before by a factor, and all that are to come last less than 1e-10 of
  ///     the time that has passed. Or too many events were at one time, or a
  ///     hundred times as many in the whole run led nowhere.
  std::optional<PaceFailure> Add(double t);

  /// Writes its state, or reads it.
  void Transfer(StateStream& stream);

  /// Number of events before the last one at the same time.
  [[nodiscard]] int consecutive() const noexcept { return consecutive_; }

  /// True if it is time to look for the cause of events: some follow each other
  /// at one time, or as soon as the rounding of states allows. True ever more
  /// seldom as these go on.
  [[nodiscard]] bool IsCheckDue() const noexcept;

 private:
  static constexpr std::size_t kMostInACycle = 4;  // Events.
  static constexpr std::size_t kCycles = 12;  // Cycles that have to shrink.

  /// The `i`-th latest time at which there were events.
  [[nodiscard]] double Back(std::size_t i) const noexcept;

  /// How long cycles of this number of events will go on, if the latest ones
  /// have become ever shorter.
  [[nodiscard]] std::optional<double> RestOfCycles(
      std::size_t events) const noexcept;

  int max_consecutive_;
  double span_;
  double last_ = -std::numeric_limits<double>::infinity();  // Event.
  int consecutive_ = 0;
  std::int64_t crowded_ = 0;  // As `consecutive_`, measured by the span at
                              // least.
  std::uint64_t soon_ = 0;    // Events in a row, each soon after the last.
  // The latest times that differ by more than rounding, a ring.
  std::array<double, kMostInACycle * kCycles + 1> times_{};
  std::size_t count_ = 0;
};

}  // namespace orrery::sim::internal
