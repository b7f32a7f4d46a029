#pragma once

#include <cstddef>
#include <memory>

#include "orrery/base/system/wall_clock.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/runs/subject.h"

namespace orrery {

/// Runs on a cluster for who asks for them one after the other, as he learns
/// from the last: an optimisation, a calibration. Each run is a task of its
/// own, which takes a few milliseconds more than the run itself; as many are at
/// work at once as threads ask for. What comes out is the same, to the last
/// bit, as of runs here.
///
/// Once it cannot go on, since the server is lost or nobody can carry out the
/// job, all runs end as if they were interrupted: whoever asks for them ends
/// with what he has, and then calls CheckHealth().
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

  /// Subject `i` of the job, whose runs are carried out there.
  /// @param here the same subject: what is known without a run.
  /// @returns one that must not be used longer than this object.
  [[nodiscard]] std::shared_ptr<const Subject> Elsewhere(
      std::size_t i, std::shared_ptr<const Subject> here);

  /// Whether it can go on.
  [[nodiscard]] bool is_healthy() const;

  /// @throws Error if it cannot go on: why.
  void CheckHealth() const;

 private:
  class Published;
  class ElsewhereSubject;
  class ElsewhereRunner;

  std::unique_ptr<Published> published_;
};

}  // namespace orrery
