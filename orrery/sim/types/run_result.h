#pragma once

#include <string_view>

#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/types/summary.h"

namespace orrery {

/// The results of a run.
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

/// A part of the rows that a run has recorded. Plain data.
struct NewRows {
  Trajectory rows;
  bool are_all = false;  ///< From the start of the run on.
};

/// A part of the events of a run. Plain data.
struct NewEvents {
  EventLog events;
  bool are_all = false;  ///< From the start of the run on.
};

}  // namespace orrery
