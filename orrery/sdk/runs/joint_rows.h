#pragma once

#include <span>

#include "orrery/process/record/recording.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/runs/profile_rows.h"
#include "orrery/sim/simulation.h"

namespace orrery::sdk::internal {

/// Rows of equations, `a`, and of resources, `b`, as those of one trajectory:
/// see ToTrajectory(const TimelineResult&).
[[nodiscard]] Trajectory Join(const Trajectory& a, const Trajectory& b);

/// The rows of a run of equations and resources, as it goes on.
class JointRows {
 public:
  /// As ProfileRows::Look: if they are other signals, all rows of the
  /// equations are to be given next.
  bool Look(std::span<const process::Profile> profiles) {
    return profiles_.Look(profiles);
  }

  /// The rows up to the last one of the equations.
  /// @param equations their next rows.
  /// @param profiles those that were looked at last.
  [[nodiscard]] NewRows Take(const NewRows& equations,
                             std::span<const process::Profile> profiles);

  /// The same without equations, to `end`.
  [[nodiscard]] NewRows Take(std::span<const process::Profile> profiles,
                             Duration end) {
    return profiles_.Take(profiles, Duration::zero(), end);
  }

 private:
  ProfileRows profiles_;
  // The part before: its last row is one that the next part goes on from.
  Trajectory equations_;
  Trajectory resources_;
};

}  // namespace orrery::sdk::internal
