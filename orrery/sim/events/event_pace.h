#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace orrery::internal {

/// Watches how fast the events of a run follow each other.
class EventPace {
 public:
  struct Trouble {
    bool is_zeno = false;  ///< Ever faster; else back and forth at one time.
    double limit = 0;      ///< Of a Zeno sequence: where its times lead to, s.
  };

  /// @param max_consecutive events at one time, but for rounding.
  /// @param span of the run in s: near time 0, a short time is measured by a
  ///     small part of it instead of by the time.
  explicit EventPace(int max_consecutive, double span = 0)
      : max_consecutive_(max_consecutive), span_(span) {}

  /// Notes an event at `t`, not before that of the last call.
  /// @returns what is wrong with the pace: many cycles of events in a row (an
  ///     impact, say, or an impact and a standstill) of which each takes a part
  ///     of the time of the one before, and of which all that are to come last
  ///     less than 1e-10 of the time that has passed; or too many events at one
  ///     time, or a hundred times as many that lead nowhere in the whole run.
  std::optional<Trouble> Add(double t);

  /// Events at one time with the one before them, so far.
  [[nodiscard]] int consecutive() const noexcept { return consecutive_; }

  /// Whether it is time to look for what events are due to: some follow each
  /// other at one time, or so soon that they may be as near as the rounding of
  /// states allows. True ever more seldom as these go on.
  [[nodiscard]] bool IsWorthALook() const noexcept;

 private:
  static constexpr std::size_t kMostInACycle = 4;  // Events.
  static constexpr std::size_t kCycles = 12;       // That have to shrink.

  /// The `i`-th latest time at which there were events.
  [[nodiscard]] double Back(std::size_t i) const noexcept;

  /// How long cycles of so many events will go on, if the latest ones have
  /// become ever shorter.
  [[nodiscard]] std::optional<double> RestOfCycles(
      std::size_t events) const noexcept;

  int max_consecutive_;
  double span_;
  double last_ = -std::numeric_limits<double>::infinity();  // Event.
  int consecutive_ = 0;
  std::int64_t crowded_ = 0;  // Likewise, where t is at least the span.
  std::uint64_t soon_ = 0;    // Events in a row, each soon after the last.
  // The latest times that differ by more than rounding, a ring.
  std::array<double, kMostInACycle * kCycles + 1> times_{};
  std::size_t count_ = 0;
};

}  // namespace orrery::internal
