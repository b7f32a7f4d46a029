#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"

namespace orrery {

/// The pace of a run relative to a clock. Plain data.
struct PaceOptions {
  /// Wall seconds for a simulated second, above zero: 1 is real time, 0.1 is
  /// ten times as fast.
  double factor = 1;
  /// An instant is late if it begins more than this after its wall time.
  Duration max_lag = std::chrono::milliseconds(10);
  /// True if a late instant is an error.
  bool strict = false;
};

/// The lag of a run behind a clock. The lag of an instant, with all events of
/// one simulated time, is the time from its wall time to its beginning.
struct LagReport {
  std::int64_t instants = 0;
  std::int64_t late = 0;  ///< Instants with more than PaceOptions::max_lag.
  Duration max{};         ///< The largest lag.
  Duration max_at{};      ///< The simulated time of the first instant with this
                          ///< lag.
  Duration mean{};
  std::int64_t injections = 0;  ///< Number of requests from outside.

  friend bool operator==(const LagReport&, const LagReport&) = default;
};

/// Relates simulated time to wall time, and measures the lag of instants:
///
///     wall = wall_begin + factor * (simulated - begin)
///
/// For one thread at a time.
class Pace {
 public:
  /// @param what names the run, for messages.
  /// @param clock must outlive it.
  /// @throws Error kInvalidArgument for a factor that is not positive and
  ///     finite, or a negative max_lag.
  Pace(std::string what, const WallClock& clock, const PaceOptions& options);

  /// Makes `simulated` correspond to the present wall time.
  void Anchor(Duration simulated);

  /// True if it is anchored.
  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }

  [[nodiscard]] double factor() const noexcept { return options_.factor; }

  /// Changes the factor from `simulated` on, which corresponds to the present
  /// wall time.
  /// @throws Error as the constructor; then nothing changes.
  void ChangeFactor(double factor, Duration simulated);

  /// Returns Duration::max() for a simulated time of Duration::max().
  [[nodiscard]] Duration WallAt(Duration simulated) const;

  /// The simulated time that the clock shows.
  /// @pre has_begun().
  [[nodiscard]] Duration Shown() const;

  /// Counts an instant that begins `lag` after its wall time.
  /// @throws Error kInvalidArgument, without counting, if it is late and the
  ///     pace is strict.
  void Count(Duration simulated, Duration lag);

  /// The report on the counted instants; without injections.
  [[nodiscard]] LagReport report() const;

 private:
  void CheckFactor(double factor) const;

  std::string what_;
  const WallClock& clock_;
  PaceOptions options_;
  bool has_begun_ = false;
  Duration begin_{};       // Simulated time, and
  Duration wall_begin_{};  // the corresponding wall time.
  LagReport report_;
  double sum_of_lags_ = 0;  // In nanoseconds.
};

}  // namespace orrery
