#pragma once

#include "orrery/base/duration.h"
#include "orrery/base/time.h"

namespace orrery::internal {

/// A time of discrete events as the solver has it, s.
[[nodiscard]] inline double SecondsOf(Duration time) noexcept {
  return Seconds(time).value;
}

/// The first tick of discrete time that is not before `t`, s; beyond what it
/// reaches, `t` itself.
[[nodiscard]] double TickFrom(double t);

}  // namespace orrery::internal
