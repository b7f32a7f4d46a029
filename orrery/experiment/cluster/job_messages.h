#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/store/experiment_record.h"

namespace orrery::experiment::internal {

/// The names of a job on the server. Its stream stores tasks and reports.
/// Another stream, which is permanent and common to all jobs, stores
/// definitions and files in parts. (A request for a message of a stream that is
/// being deleted ends nats-server 2.9.) The other subjects are for
/// notifications.
class JobNames {
 public:
  static constexpr const char* kTextStream = "orrery";
  static constexpr const char* kTexts = "orrery.text.>";
  static constexpr const char* kTaskQueue = "workers";
  static constexpr const char* kReportQueue = "submitter";

  /// @param id without dots.
  explicit JobNames(std::string id);

  /// Returns the names of the job that the stream belongs to; nothing for other
  /// streams.
  [[nodiscard]] static std::optional<JobNames> OfStream(
      std::string_view stream);

  /// The subjects of all jobs, to look for jobs.
  [[nodiscard]] static std::string AnyTask();
  [[nodiscard]] static std::string AnyEnd();

  [[nodiscard]] const std::string& id() const noexcept { return id_; }

  [[nodiscard]] std::string Stream() const;
  [[nodiscard]] std::string Definition() const;
  [[nodiscard]] std::string AnyText() const;
  [[nodiscard]] std::string Part(std::size_t file, std::size_t part) const;
  [[nodiscard]] std::string Task() const;
  [[nodiscard]] std::string Report() const;
  [[nodiscard]] std::string Submitter() const;  ///< Answers while the submitter
                                                ///< is there.
  [[nodiscard]] std::string End() const;        ///< Told when the job is over.

 private:
  std::string id_;
};

// Messages come from the network: every function that reads one accepts any
// bytes, and returns nothing for bytes that are no message. They are JSON, to
// be readable; numbers of results follow in binary.

/// The entry of a file in the definition of a job.
struct FileDigest {
  std::string name;
  std::uint64_t hash = 0;  ///< StableHash of its bytes.
  std::size_t parts = 0;

  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

/// The first message that workers read about a job.
struct JobDefinition {
  ClusterJob job;  ///< Without its files.
  std::vector<FileDigest> files;
  Duration patience{};

  friend bool operator==(const JobDefinition&, const JobDefinition&) = default;
};

[[nodiscard]] std::string ToMessage(const JobDefinition& definition);

/// @param version the version of the reader. For a job of another version only
///     the version is read, since the rest may have another meaning there.
[[nodiscard]] std::optional<JobDefinition> DefinitionFrom(
    std::string_view message, std::string_view version);

/// A run of one of the subjects of a job, with values that are known only when
/// it is requested. Plain data.
struct RunRequest {
  std::size_t subject = 0;
  std::vector<std::string> names;  ///< The names of the varied quantities.
  WantedResults wanted;
  std::vector<double> values;  ///< Finite, one a name.
  std::uint64_t seed = 1;

  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

/// Runs that are to be carried out. Plain data.
struct RunTask {
  RunRange runs;
  /// Number of workers that have died, or fallen silent, at work on it; for a
  /// single run only.
  std::int64_t deaths = 0;
  /// The run of a job that has no series.
  std::optional<RunRequest> request;

  friend bool operator==(const RunTask&, const RunTask&) = default;
};

[[nodiscard]] std::string ToMessage(const RunTask& task);

/// A task of at least one run, or just one if it is a request.
[[nodiscard]] std::optional<RunTask> TaskFrom(std::string_view message);

/// A part of the results of a requested run (see ToBytes), since messages have
/// a limited size. Plain data.
struct RunPart {
  std::int64_t run = 0;
  std::size_t index = 0;
  std::size_t count = 1;
  std::string bytes;

  friend bool operator==(const RunPart&, const RunPart&) = default;
};

/// A message of a worker to the submitter of a job.
struct WorkerReport {
  std::string worker;             ///< With the number of its lane.
  Duration busy{};                ///< How long the runs took.
  std::int64_t side_by_side = 1;  ///< The most runs that it carries out side by
                                  ///< side.
  RunBatch batch;  ///< The runs that it has carried out; may be empty.
  std::optional<RunPart> part;  ///< A part of the results of a request.
  std::string refusal;  ///< Why this worker takes no part; others may. Or
                        ///< empty.
  std::string error;    ///< Why no worker can carry out the job. Or empty.
};

[[nodiscard]] std::string ToMessage(const WorkerReport& report);

/// Reads a report with a consistent batch, of runs from 0 on, or with a part
/// and no batch.
[[nodiscard]] std::optional<WorkerReport> ReportFrom(std::string_view message);

}  // namespace orrery::experiment::internal
