#pragma once

#include <cstdint>
#include <memory>

#include "orrery/fmi/instance.h"

namespace orrery::fmi {

/// What an FMU says of the time to the next tick of a clock.
struct ClockInterval {
  enum class State : std::uint8_t { kNotYetKnown, kUnchanged, kChanged };

  State state = State::kNotYetKnown;
  double interval = 0;  ///< s
};

/// The functions of Scheduled Execution of an instance (FMI 3.0.2, chapter 5).
/// Clocks are named by their references. They throw CallFailure, as those of
/// Instance.
class PartitionCalls {
 public:
  PartitionCalls() = default;
  PartitionCalls(const PartitionCalls&) = delete;
  PartitionCalls& operator=(const PartitionCalls&) = delete;
  virtual ~PartitionCalls() = default;

  /// Carries out what an input clock is for.
  virtual void Activate(std::uint32_t clock, double t) = 0;

  virtual ClockInterval IntervalOf(std::uint32_t clock) = 0;

  /// True if an output clock has ticked since this was asked last.
  virtual bool HasTicked(std::uint32_t clock) = 0;
};

namespace internal {

/// @param state of the instance; must outlive the result.
/// @returns null for another kind of use.
/// @throws Error kUnsupported if a function is missing.
[[nodiscard]] std::unique_ptr<PartitionCalls> MakePartitionCalls(
    const Library& library, InstanceState& state);

}  // namespace internal

}  // namespace orrery::fmi
