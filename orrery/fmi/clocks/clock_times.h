#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/fmi/clock_calls.h"
#include "orrery/fmi/description.h"
#include "orrery/results/table.h"

namespace orrery::fmi {

/// An input clock: one that an importer lets tick. Plain data.
struct InputClock {
  VariableIndex variable = 0;
  IntervalVariability kind = IntervalVariability::kTriggered;
  std::uint32_t priority = 0;
  bool tells_period = false;  ///< The FMU computes shift and interval.
  ClockSpan shift;            ///< Of a periodic clock, if it does not tell.
  ClockSpan interval;         ///< Likewise.
  std::vector<double> ticks;  ///< Of a triggered one; s.
};

/// The input clocks of an FMU, those with the least priority number first.
/// @param name of the FMU, for messages.
/// @throws Error kInvalidArgument for a constant clock without an interval.
[[nodiscard]] std::vector<InputClock> InputClocksOf(
    const Description& description, const std::string& name);

/// Gives triggered clocks their ticks: at the rows from `start` on in which
/// their column is 1.
/// @returns the other columns; null if that is only the time.
/// @throws Error kInvalidArgument for a column of a clock that ticks by itself.
[[nodiscard]] std::shared_ptr<const Table> TakeTicks(
    const Description& description,
    const std::shared_ptr<const Table>& table,
    double start,
    std::vector<InputClock>& clocks);

/// When the input clocks of an instance tick (FMI 3.0.2, section 2.2.8.3).
/// Tick k of a periodic clock is at start + shift + k*interval, rounded once.
/// Functions that call the FMU throw CallFailure.
class ClockTimes {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// @param description, clocks must outlive it.
  ClockTimes(const Description& description,
             std::span<const InputClock> clocks);

  /// Begins a run; the FMU is initializing.
  void Start(double t, ClockCalls& calls);

  /// The time of the next tick of any clock; infinity if there is none.
  [[nodiscard]] double next() const noexcept;

  /// True if this clock ticks at `t`.
  [[nodiscard]] bool IsDue(std::size_t clock, double t) const noexcept {
    return states_[clock].due <= t;
  }

  /// Takes the tick of a clock that is due: the one after it comes next.
  void Take(std::size_t clock);

  /// Asks for the next ticks of clocks whose interval may have changed.
  /// @param is_after_tick by clock, 1 if it has just ticked.
  void Ask(double t,
           std::span<const std::uint8_t> is_after_tick,
           ClockCalls& calls);

 private:
  struct State {
    double origin = 0;        // s
    ClockSpan shift;          // From there to tick 0.
    ClockSpan interval;       // Of a periodic clock.
    std::uint64_t count = 0;  // Of ticks since the origin.
    double due = kNever;      // s
  };

  [[nodiscard]] const Variable& VariableOf(std::size_t clock) const {
    return description_.variables[clocks_[clock].variable];
  }

  [[nodiscard]] double DueAfter(std::size_t clock) const;
  void CheckInterval(std::size_t clock,
                     double t,
                     const ClockSpan& interval,
                     bool is_positive) const;
  void StartPeriod(std::size_t clock, double t, ClockCalls& calls);

  const Description& description_;
  std::span<const InputClock> clocks_;
  std::vector<State> states_;  // By clock.
};

}  // namespace orrery::fmi
