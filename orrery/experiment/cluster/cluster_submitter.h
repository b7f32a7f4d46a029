#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>

#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/experiment/cluster/cluster_job.h"
#include "orrery/experiment/runs/carry_out.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

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

}  // namespace orrery
