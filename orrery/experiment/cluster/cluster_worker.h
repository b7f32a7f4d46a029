#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/experiment/cluster/cluster_job.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/experiment/runs/subject.h"

namespace orrery {

/// The content of a job: a series of runs, or the subjects whose runs are
/// requested one by one (see ClusterRuns).
using JobContent =
    std::variant<RunSeries, std::vector<std::shared_ptr<const Subject>>>;

/// Makes the content of a job.
/// @throws Error for a job that it cannot or will not make.
using JobLoader = std::function<JobContent(const ClusterJob& job)>;

/// Settings of a worker. Plain data.
struct WorkerOptions {
  std::string url;   ///< See ClusterOptions.
  std::string name;  ///< Its name in messages of submitters, for example that
                     ///< of its machine.
  std::string version;  ///< The version of Orrery.
  JobLoader load;
  std::optional<Duration> idle;  ///< Idle time after which the worker ends.
  GoesOn goes_on;  ///< The worker ends when it returns false; may be empty.
  /// Receives messages for people at the worker, one line each, in any thread;
  /// may be empty.
  std::function<void(const std::string&)> tell;
};

/// Carries out runs of all jobs on a server, in turn, until it is told to end
/// or has been idle for long enough. Unfinished runs then go back to the queue.
///
/// @param executor of two lanes or more: one keeps in touch with the server,
///     the others carry out runs.
/// @returns the number of runs that it has carried out.
/// @throws Error kIo if the server cannot be used or is lost for a minute,
///     kInvalidArgument if there are too few lanes.
std::int64_t ServeCluster(const WorkerOptions& options,
                          Executor& executor,
                          WallClock& clock);

}  // namespace orrery
