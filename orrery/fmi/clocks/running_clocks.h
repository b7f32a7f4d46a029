#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/fmi/clock_calls.h"
#include "orrery/fmi/clocks/clock_times.h"

namespace orrery::fmi {

/// Triggered clocks that an FMU lets tick: outputs, and locals.
[[nodiscard]] std::vector<VariableIndex> ToldClocksOf(
    const Description& description);

/// The clocks of an instance with event mode (FMI 3.0.2, section 2.3.5). An
/// event has instants, and each of them is: `Activate`; clocked inputs are set;
/// `FindTicked`; clocked variables are read; the FMU updates its discrete
/// states; `EndInstant`. All clocks that tick at one time do so in one instant.
/// Functions that call the FMU throw CallFailure.
class RunningClocks {
 public:
  /// @param description, inputs, calls must outlive it.
  RunningClocks(const Description& description,
                std::span<const InputClock> inputs,
                ClockCalls& calls);

  /// Begins a run; the FMU is initializing.
  void Start(double t);

  /// The time of the next tick of an input clock; infinity if there is none.
  [[nodiscard]] double next() const noexcept { return times_.next(); }

  /// Lets the input clocks tick that are due.
  void Activate(double t);

  /// Lets a triggered input clock tick.
  void Trigger(VariableIndex clock, double t);

  /// Asks which clocks of the FMU tick.
  void FindTicked();

  /// After the update: nothing is active, and next ticks are known.
  void EndInstant(double t);

  /// True if a variable of these clocks can be set and read.
  [[nodiscard]] bool IsAnyActive(
      std::span<const VariableIndex> clocks) const noexcept;

  /// The ticks up to now, by clock of `ToldClocksOf`.
  [[nodiscard]] std::span<const double> counts() const noexcept {
    return counts_;
  }

 private:
  const Description& description_;
  std::span<const InputClock> inputs_;
  ClockCalls& calls_;
  ClockTimes times_;
  std::vector<VariableIndex> told_;
  std::vector<double> counts_;            // By told clock.
  std::vector<std::uint8_t> has_ticked_;  // By input clock, in this instant.
  std::vector<std::uint8_t> is_active_;   // By variable; 0 for others.
};

}  // namespace orrery::fmi
