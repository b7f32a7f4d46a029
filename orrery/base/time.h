#pragma once

#include <chrono>
#include <cstdint>

namespace orrery {

/// Discrete time: exact, so that equal times are equal. Clocks, the
/// discrete-event engine and tasks use it.
using Duration = std::chrono::duration<std::int64_t, std::nano>;

/// Physical time of the solvers: double seconds. Converts from any
/// std::chrono duration, so that `{.stop = 10s}` and `{.stop = 1e11}` both
/// read well.
struct Seconds {
  double value = 0;

  constexpr Seconds() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): numbers are seconds here.
  constexpr Seconds(double seconds) : value(seconds) {}

  template <typename Rep, typename Period>
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Seconds(std::chrono::duration<Rep, Period> duration)
      : value(static_cast<double>(duration.count()) *
              static_cast<double>(Period::num) /
              static_cast<double>(Period::den)) {}

  friend constexpr auto operator<=>(const Seconds&, const Seconds&) = default;
};

}  // namespace orrery
