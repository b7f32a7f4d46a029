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

/// A file that a series is made from, by the name that its document gives it.
/// Plain data.
struct JobFile {
  std::string name;
  std::string bytes;

  friend bool operator==(const JobFile&, const JobFile&) = default;
};

/// Runs for workers on other machines, with all that they need to make them.
/// Plain data.
struct ClusterJob {
  std::string version;   ///< Of Orrery: only that one's runs are the same bits.
  std::string type;      ///< Of the document: `sweep`, ...
  std::string document;  ///< JSON
  std::vector<JobFile> files;
  // If it is a series; none, if its runs are asked for one after the other:
  std::int64_t runs = 0;           ///< Of the whole of it.
  std::vector<RunColumn> columns;  ///< Of its table.

  friend bool operator==(const ClusterJob&, const ClusterJob&) = default;
};

/// How runs are carried out on a cluster. Plain data.
struct ClusterOptions {
  /// Of a NATS server with JetStream: `nats://user:password@host:4222`, or
  /// `tls://...`; several of one cluster with commas between.
  std::string url;

  /// How long a worker may be silent before others are given its runs. They
  /// give a sign of life four times as often.
  Duration patience = std::chrono::seconds(5);

  /// Takes what the user should know meanwhile, a line; may be empty.
  std::function<void(const std::string&)> tell;
};

/// Finds out whether the server can be used; nothing is changed.
/// @throws Error kIo if not, within 2 s; kInvalidArgument for what is no URL.
void CheckCluster(const std::string& url);

/// Has runs of a series carried out by the workers of a cluster, whoever of
/// them comes and goes. What comes out is the same, to the last bit, as of
/// CarryOut.
///
/// The job is a stream of its own on the server, which is removed at the end:
/// its definition, a queue of ranges of runs and a queue of results. Ranges are
/// published only so far ahead as keeps the workers busy, and are the shorter,
/// the longer a run takes. A range whose worker dies is given to others, and
/// split into its runs; a run that workers died of three times fails. A run
/// counts once, whatever the number of its results.
///
/// @param todo ranges that do not overlap.
/// @returns how far it came: to the end, unless `watch.goes_on` said no.
/// @throws Error kIo if the server cannot be used or is lost for a minute; what
///     `watch.take` throws; what a runner cannot be made for, as CarryOut.
SeriesProgress CarryOutOnCluster(const ClusterJob& job,
                                 std::span<const RunRange> todo,
                                 const ClusterOptions& options,
                                 const WallClock& clock,
                                 const SeriesWatch& watch);

/// What a job consists of: a series of runs, or the subjects whose runs are
/// asked for one after the other (see ClusterRuns).
using JobContent =
    std::variant<RunSeries, std::vector<std::shared_ptr<const Subject>>>;

/// Makes the content of a job.
/// @throws Error for a job that it cannot or will not make.
using JobLoader = std::function<JobContent(const ClusterJob& job)>;

/// What a worker is asked for. Plain data.
struct WorkerOptions {
  std::string url;      ///< See ClusterOptions.
  std::string name;     ///< What submitters call it: of its machine, say.
  std::string version;  ///< Of Orrery.
  JobLoader load;
  std::optional<Duration> idle;  ///< Ends after so long without a run.
  GoesOn goes_on;                ///< When it says no, it ends; may be empty.
  /// Takes what people at the worker should know, a line, in any thread; may be
  /// empty.
  std::function<void(const std::string&)> tell;
};

/// Carries out runs of the jobs on a server, of all by turns, until it is told
/// to end or has been idle for long enough. What it has not finished then goes
/// back to the queue.
///
/// @param executor of two lanes or more: one keeps in touch with the server,
///     the others carry out runs.
/// @returns how many runs it has carried out.
/// @throws Error kIo if the server cannot be used or is lost for a minute,
///     kInvalidArgument if there are too few lanes.
std::int64_t ServeCluster(const WorkerOptions& options,
                          Executor& executor,
                          WallClock& clock);

}  // namespace orrery
