#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/containers/shared.h"
#include "orrery/base/diagnostic.h"
#include "orrery/results/trajectory.h"

namespace orrery {

/// The number of an experiment in its store: 1, 2, ...; never used again, even
/// after the experiment is deleted.
using ExperimentId = std::int64_t;

/// The progress of an experiment.
enum class ExperimentStatus : std::uint8_t {
  kRunning,      ///< A living process works on it.
  kCompleted,    ///< It ended as planned; single runs may have failed.
  kFailed,       ///< It ended early because of an error.
  kInterrupted,  ///< It was stopped, or its process died. Can be resumed.
};

/// "running", "completed", "failed" or "interrupted".
[[nodiscard]] std::string_view Describe(ExperimentStatus status) noexcept;

/// The outcome of one run of an experiment.
enum class RunStatus : std::uint8_t {
  kMissing,    ///< Not run, or not delivered yet.
  kCompleted,  ///< Its values are there.
  kFailed,     ///< It ended early; its values are those at that point.
};

/// A column of the table of runs. Plain data.
struct RunColumn {
  enum class Role : std::uint8_t {
    kVaried,  ///< An input: a parameter, a start value, a seed.
    kKept,    ///< A result: `final(x)`, `max(x)`.
  };

  std::string name;
  std::string unit;  ///< As in Modelica (`rad/s`); may be empty.
  Role role = Role::kKept;
  /// The names of its values 0, 1, ..., as in SignalInfo.
  Shared<std::vector<std::string>> value_names = {};

  friend bool operator==(const RunColumn&, const RunColumn&) = default;
};

/// The reason why a run failed. Plain data.
struct RunFailure {
  std::int64_t run = 0;
  std::string message;

  friend bool operator==(const RunFailure&, const RunFailure&) = default;
};

/// A warning for the model's author about a run that has ended. Plain data.
struct RunWarning {
  std::int64_t run = 0;
  Diagnostic what;

  friend bool operator==(const RunWarning&, const RunWarning&) = default;
};

/// Runs with consecutive indices that ended and are delivered together. Plain
/// data.
struct RunBatch {
  std::int64_t first = 0;  ///< The index of the first run, >= 0.

  /// One for each run. A run that is kMissing is not part of the batch: so a
  /// batch can have gaps.
  std::vector<RunStatus> status;

  /// By column of the table, then by run; each column has `status.size()`
  /// values.
  std::vector<std::vector<double>> values;

  /// Failures in this batch; at most one for each failed run.
  std::vector<RunFailure> failures;

  /// Warnings about runs of this batch; a few for each run, of different kinds.
  /// The store does not keep them.
  std::vector<RunWarning> warnings = {};
};

/// Runs `first`, `first + 1`, ... Plain data.
struct RunRange {
  std::int64_t first = 0;
  std::int64_t count = 0;

  friend bool operator==(const RunRange&, const RunRange&) = default;
};

/// All runs of an experiment in their order, whatever the order in which they
/// were delivered. Plain data.
struct RunTable {
  std::vector<RunColumn> columns;

  /// By run; the number of runs asked for, or more if more were delivered.
  std::vector<RunStatus> status;

  /// By column, then by run; NaN where a run is missing.
  std::vector<std::vector<double>> values;
};

/// Numbers of runs. Plain data.
struct RunCounts {
  std::int64_t asked = 0;     ///< 0 if not known beforehand.
  std::int64_t finished = 0;  ///< Completed runs, without failed ones.
  std::int64_t failed = 0;

  friend bool operator==(const RunCounts&, const RunCounts&) = default;
};

/// The data of a new experiment. Plain data.
struct NewExperiment {
  /// Time of creation, in nanoseconds since 1970-01-01 00:00 UTC.
  std::int64_t created_ns = 0;

  std::string type;   ///< `simulate`, `sweep`, ...
  std::string model;  ///< The model's name.

  /// JSON text with all data that determine the runs. The store does not parse
  /// it.
  std::string document;

  std::string source_hash;
  std::int64_t runs_asked = 1;

  /// The columns of the table of runs; may be empty.
  std::vector<RunColumn> columns;
};

/// The end of an experiment. Plain data.
struct ExperimentEnd {
  /// Not kRunning.
  ExperimentStatus status = ExperimentStatus::kCompleted;

  std::string message;  ///< One line; may be empty.
  std::string summary;  ///< JSON text; the store does not parse it.
};

/// A file that belongs to an experiment. Plain data.
struct AttachmentInfo {
  std::string name;  ///< For example `plan.json`; unique within its experiment.
  std::string media_type;  ///< For example `application/json`.
  std::int64_t size = 0;   ///< Bytes.

  friend bool operator==(const AttachmentInfo&,
                         const AttachmentInfo&) = default;
};

/// A range of the bytes of an attachment. Plain data.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// An experiment in a list. Plain data.
struct ExperimentInfo {
  ExperimentId id = 0;
  std::int64_t created_ns = 0;  ///< Since 1970-01-01 00:00 UTC.
  std::string type;
  std::string model;
  ExperimentStatus status = ExperimentStatus::kRunning;
  std::string message;
  RunCounts runs;
  std::vector<std::string> tags;  ///< In alphabetical order.
};

/// All data of an experiment except its results. Plain data.
struct ExperimentRecord {
  ExperimentInfo info;
  std::string document;
  std::string source_hash;
  std::string summary;
  std::string notes;
  std::string log;
  std::vector<RunColumn> columns;
  /// Indices of runs with a trajectory.
  std::vector<std::int64_t> trajectories;
  std::vector<std::int64_t> event_logs;  ///< Indices of runs with an event log.
  std::vector<AttachmentInfo> attachments;  ///< In alphabetical order.
};

/// The signals of the trajectory of a run. Plain data.
struct StoredSignals {
  std::shared_ptr<const SignalTable> table;
  std::int64_t rows = 0;
  double end = 0;  ///< The time of the last row; 0 without rows.
};

/// Selects experiments in a list: those that meet all given conditions. Plain
/// data.
struct ExperimentFilter {
  std::optional<std::string> type;
  std::optional<std::string> model;
  std::optional<std::string> tag;
  std::optional<std::string> attachment;  ///< The name of a file it has.
  std::optional<ExperimentStatus> status;
  /// Created at this time or later.
  std::optional<std::int64_t> created_from_ns;
  std::optional<std::int64_t> created_before_ns;  ///< Created before this time.
  std::optional<std::size_t> limit;               ///< The newest of them only.
};

}  // namespace orrery
