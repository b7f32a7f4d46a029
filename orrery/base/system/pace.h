#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"

namespace orrery {

/// How a run is to keep pace with a clock. Plain data.
struct PaceOptions {
  /// Seconds of the wall clock for a simulated one, above zero: 1 is real time,
  /// 0.1 is ten times as fast.
  double factor = 1;
  /// What begins later than this after its wall time is late.
  Duration max_lag = std::chrono::milliseconds(10);
  /// Whether what is late is an error.
  bool strict = false;
};

/// How well a run has kept pace. The lag of an instant, which is all that
/// happens at one simulated time, is how long after its wall time it began.
struct LagReport {
  std::int64_t instants = 0;
  std::int64_t late = 0;  ///< Of them, beyond PaceOptions::max_lag.
  Duration max{};         ///< The largest lag.
  Duration max_at{};      ///< The simulated time of the first of that lag.
  Duration mean{};
  std::int64_t injections = 0;  ///< What was handed to the run from outside.

  friend bool operator==(const LagReport&, const LagReport&) = default;
};

/// Which wall time belongs to which simulated time of a run, and how late its
/// instants begin:
///
///     wall = wall_begin + factor * (simulated - begin)
///
/// One thread at a time.
class Pace {
 public:
  /// @param what keeps pace, for messages.
  /// @param clock must outlive it.
  /// @throws Error kInvalidArgument for a factor that is not above zero and
  ///     finite, or a negative max_lag.
  Pace(std::string what, const WallClock& clock, const PaceOptions& options);

  /// Lets `simulated` belong to the time it is now.
  void Anchor(Duration simulated);

  /// Whether it is anchored.
  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }

  [[nodiscard]] double factor() const noexcept { return options_.factor; }

  /// Another factor from `simulated` on, which belongs to the time it is now.
  /// @throws Error as the constructor; then nothing changes.
  void ChangeFactor(double factor, Duration simulated);

  /// Duration::max() for a time that is never.
  [[nodiscard]] Duration WallAt(Duration simulated) const;

  /// The simulated time that the clock shows. Precondition: has_begun().
  [[nodiscard]] Duration Shown() const;

  /// Counts an instant that begins `lag` after its wall time.
  /// @throws Error kInvalidArgument, and counts nothing, if it is late and that
  ///     is strict.
  void Count(Duration simulated, Duration lag);

  /// Of the instants that were counted; without injections.
  [[nodiscard]] LagReport report() const;

 private:
  void CheckFactor(double factor) const;

  std::string what_;
  const WallClock& clock_;
  PaceOptions options_;
  bool has_begun_ = false;
  Duration begin_{};       // Simulated, and
  Duration wall_begin_{};  // the wall time that belongs to it.
  LagReport report_;
  double sum_of_lags_ = 0;  // In nanoseconds.
};

}  // namespace orrery
