#pragma once

#include "orrery/base/duration.h"
#include "orrery/base/time.h"

namespace orrery::sim::internal {

/// A time of discrete events in seconds, as the solver has it.
[[nodiscard]] inline double SecondsOf(Duration time) noexcept {
  return Seconds(time).value;
}

/// The first tick of discrete time that is not before `t`, in s; `t` itself
/// beyond the range of ticks.
[[nodiscard]] double TickFrom(double t);

}  // namespace orrery::sim::internal
