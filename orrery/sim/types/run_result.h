#pragma once

#include <string_view>

#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/types/summary.h"

namespace orrery {

/// What a run leaves.
struct RunResult {
  Trajectory trajectory;  ///< Up to where the run ended.
  EventLog events;
  Summary summary;

  /// A recorded signal.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] Signal operator[](std::string_view name) const {
    return trajectory[name];
  }

  /// The trajectory, for who does not look at the summary.
  /// @throws Error kInvalidModel with the summary's diagnostics unless the run
  ///     was completed.
  // NOLINTNEXTLINE(google-explicit-constructor): `Trajectory r = Simulate(...)`
  operator Trajectory() const;
};

/// A part of what a run has recorded. Plain data.
struct NewRows {
  Trajectory rows;
  bool are_all = false;  ///< From the start of the run on.
};

}  // namespace orrery
