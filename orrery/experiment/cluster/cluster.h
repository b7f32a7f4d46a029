#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/system/executor.h"
#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/experiment/runs/carry_out.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// A file that a series is made from, under its name in the document. Plain
/// data.
struct JobFile {
  std::string name;
  std::string bytes;

  friend bool operator==(const JobFile&, const JobFile&) = default;
};

/// A job for workers on other machines: runs with all that they need. Plain
/// data.
struct ClusterJob {
  std::string version;   ///< The version of Orrery; only the same version gives
                         ///< the same bits.
  std::string type;      ///< The type of the document: `sweep`, ...
  std::string document;  ///< JSON
  std::vector<JobFile> files;
  // For a series only; empty for a job whose runs are requested one by one:
  std::int64_t runs = 0;           ///< Number of runs of the series.
  std::vector<RunColumn> columns;  ///< The columns of its table.

  friend bool operator==(const ClusterJob&, const ClusterJob&) = default;
};

/// Settings of a cluster. Plain data.
struct ClusterOptions {
  /// The address of a NATS server with JetStream:
  /// `nats://user:password@host:4222`, or `tls://...`. Commas separate several
  /// servers of one cluster.
  std::string url;

  /// Silence after which the runs of a worker are given to others. Workers
  /// report four times as often.
  Duration patience = std::chrono::seconds(5);

  /// Receives messages for the user, one line each; may be empty.
  std::function<void(const std::string&)> tell;
};

/// Finds out whether the server can be used; changes nothing there.
/// @throws Error kIo if it cannot, within 2 s; kInvalidArgument if `url` is no
///     URL.
void CheckCluster(const std::string& url);

/// Lets the workers of a cluster carry out runs of a series. Workers may come
/// and go. The results are bit for bit those of CarryOut.
///
/// The job is a stream of its own on the server, which is removed at the end:
/// its definition, a queue of ranges of runs and a queue of results. Only as
/// many ranges are published ahead as keep the workers busy. The longer a run
/// takes, the shorter the ranges. If a worker dies, its range is split into
/// single runs, which go to others. A run during which workers died three times
/// fails. Each run counts once, even if it has several results.
///
/// @param todo ranges that do not overlap.
/// @returns how far it came: to the end, unless `watch.goes_on` returned false.
/// @throws Error kIo if the server cannot be used or is lost for a minute;
///     whatever `watch.take` throws; errors of making a runner, as CarryOut.
SeriesProgress CarryOutOnCluster(const ClusterJob& job,
                                 std::span<const RunRange> todo,
                                 const ClusterOptions& options,
                                 const WallClock& clock,
                                 const SeriesWatch& watch);

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
