#pragma once

#include <cstdint>
#include <memory>

#include "orrery/fmi/instance.h"

namespace orrery::fmi {

/// A span of time as a clock tells it.
struct ClockSpan {
  double seconds = 0;
  /// The same as counter / resolution, exactly; 0: it is no fraction.
  std::uint64_t counter = 0;
  std::uint64_t resolution = 0;
};

/// @returns the span as `counter / resolution` seconds.
[[nodiscard]] ClockSpan FractionSpan(std::uint64_t counter,
                                     std::uint64_t resolution);

/// @returns shift + count * interval in seconds, rounded once if both are
///     fractions of one resolution.
[[nodiscard]] double SpanOver(const ClockSpan& shift,
                              std::uint64_t count,
                              const ClockSpan& interval);

/// What an FMU says of the time to the next tick of a clock.
struct ClockInterval {
  enum class State : std::uint8_t { kNotYetKnown, kUnchanged, kChanged };

  State state = State::kNotYetKnown;
  ClockSpan span;
};

/// The functions for clocks of an instance (FMI 3.0.2, section 2.2.8). They
/// throw CallFailure, as those of Instance.
class ClockCalls {
 public:
  ClockCalls() = default;
  ClockCalls(const ClockCalls&) = delete;
  ClockCalls& operator=(const ClockCalls&) = delete;
  virtual ~ClockCalls() = default;

  /// Lets an input clock tick. By Scheduled Execution, its partition is carried
  /// out. In event mode it is active up to the next update of discrete states.
  virtual void Activate(const Variable& clock, double t) = 0;

  virtual ClockInterval IntervalOf(const Variable& clock) = 0;

  /// The time from the start to the first tick.
  virtual ClockSpan ShiftOf(const Variable& clock) = 0;

  /// True if a clock of the FMU is active. By Scheduled Execution: if it has
  /// ticked since this was asked last.
  virtual bool HasTicked(const Variable& clock) = 0;
};

[[nodiscard]] bool HasClocks(const Description& description);

/// True for a periodic clock whose period the FMU computes.
[[nodiscard]] bool TellsPeriod(const ClockTiming& timing) noexcept;

namespace internal {

/// @param state of the instance; must outlive the result.
/// @returns null for an FMU without clocks.
/// @throws Error kUnsupported if a function is missing.
[[nodiscard]] std::unique_ptr<ClockCalls> MakeClockCalls(const Library& library,
                                                         InstanceState& state);

}  // namespace internal

}  // namespace orrery::fmi
