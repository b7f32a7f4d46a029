#pragma once

#include <cstddef>
#include <memory>

#include "orrery/base/system/wall_clock.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/runs/subject.h"

namespace orrery {

/// Runs on a cluster for a caller that requests them one after the other and
/// learns from each: an optimisation, a calibration. Each run is a task of its
/// own and takes a few milliseconds longer than the run itself. As many run at
/// once as threads request them. The results are the same as of local runs, to
/// the last bit.
///
/// If it cannot go on, because the server is lost or no worker can carry out
/// the job, all runs end as if they were interrupted. The caller then ends with
/// the results so far, and calls CheckHealth().
class ClusterRuns {
 public:
  /// @param job of subjects; see JobContent.
  /// @param clock must outlive it, as must `options.tell`.
  /// @throws Error as CarryOutOnCluster.
  ClusterRuns(const ClusterJob& job,
              const ClusterOptions& options,
              WallClock& clock);
  ClusterRuns(const ClusterRuns&) = delete;
  ClusterRuns& operator=(const ClusterRuns&) = delete;
  ~ClusterRuns();

  /// Returns subject `i` of the job, whose runs are carried out on the cluster.
  /// @param here the same subject: answers everything that needs no run.
  /// @returns a subject that must not be used longer than this object.
  [[nodiscard]] std::shared_ptr<const Subject> Elsewhere(
      std::size_t i, std::shared_ptr<const Subject> here);

  /// True if it can go on.
  [[nodiscard]] bool is_healthy() const;

  /// @throws Error if it cannot go on, with the reason.
  void CheckHealth() const;

 private:
  class Published;
  class ElsewhereSubject;
  class RemoteRunner;

  std::unique_ptr<Published> published_;
};

}  // namespace orrery
