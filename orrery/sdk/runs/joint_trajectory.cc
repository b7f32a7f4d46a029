#include "orrery/sdk/runs/joint_rows.h"
#include "orrery/sdk/runs/joint_run.h"

namespace orrery {

namespace internal = sdk::internal;

Trajectory ToTrajectory(const TimelineResult& run) {
  Trajectory resources =
      ToTrajectory(run.recording.profiles, Duration::zero(), run.end);
  if (run.trajectory.signals().empty()) {
    return resources;
  }
  return resources.signals().empty()
             ? run.trajectory
             : internal::Join(run.trajectory, resources);
}

}  // namespace orrery
