#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/containers/shared.h"
#include "orrery/base/diagnostic.h"

namespace orrery {

/// Names an experiment within its store: 1, 2, ...; never used again, even
/// when the experiment is deleted.
using ExperimentId = std::int64_t;

/// How far an experiment has come.
enum class ExperimentStatus : std::uint8_t {
  kRunning,      ///< A process that lives is at work on it.
  kCompleted,    ///< It ended as asked; single runs may have failed.
  kFailed,       ///< It ended early because of an error.
  kInterrupted,  ///< It was stopped, or its process died. Can be resumed.
};

/// "running", "completed", "failed" or "interrupted".
[[nodiscard]] std::string_view Describe(ExperimentStatus status) noexcept;

/// What became of one run of an experiment.
enum class RunStatus : std::uint8_t {
  kMissing,    ///< Not run, or not delivered yet.
  kCompleted,  ///< Its values are there.
  kFailed,     ///< It ended early; its values are what it had by then.
};

/// What a column of the table of runs holds. Plain data.
struct RunColumn {
  enum class Role : std::uint8_t {
    kVaried,  ///< What was set: a parameter, a start value, a seed.
    kKept,    ///< What came out: `final(x)`, `max(x)`.
  };

  std::string name;
  std::string unit;  ///< As in Modelica (`rad/s`); may be empty.
  Role role = Role::kKept;
  /// What its values 0, 1, ... are called, as in SignalInfo.
  Shared<std::vector<std::string>> value_names = {};

  friend bool operator==(const RunColumn&, const RunColumn&) = default;
};

/// Why a run failed. Plain data.
struct RunFailure {
  std::int64_t run = 0;
  std::string message;

  friend bool operator==(const RunFailure&, const RunFailure&) = default;
};

/// Something that the model's author should know of a run that has ended. Plain
/// data.
struct RunWarning {
  std::int64_t run = 0;
  Diagnostic what;

  friend bool operator==(const RunWarning&, const RunWarning&) = default;
};

/// Neighbouring runs that ended, delivered at once. Plain data.
struct RunBatch {
  std::int64_t first = 0;  ///< The index of the first run, >= 0.

  /// One a run. A run that is kMissing is not part of the batch: so scattered
  /// runs go into one batch, too.
  std::vector<RunStatus> status;

  /// By column of the table, then by run: each of `status.size()`.
  std::vector<std::vector<double>> values;

  /// Of failed runs of this batch; at most one each.
  std::vector<RunFailure> failures;

  /// Of runs of this batch; of each a few, which differ in kind. The store does
  /// not keep them.
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

  /// By run; as many as were asked for, or more if more were delivered.
  std::vector<RunStatus> status;

  /// By column, then by run; NaN where a run is missing.
  std::vector<std::vector<double>> values;
};

/// How many runs there are. Plain data.
struct RunCounts {
  std::int64_t asked = 0;     ///< 0 where that is not known beforehand.
  std::int64_t finished = 0;  ///< Completed; the failed ones are not in it.
  std::int64_t failed = 0;

  friend bool operator==(const RunCounts&, const RunCounts&) = default;
};

/// What is to be known of an experiment that begins. Plain data.
struct NewExperiment {
  /// When, in nanoseconds since 1970-01-01 00:00 UTC.
  std::int64_t created_ns = 0;

  std::string type;   ///< `simulate`, `sweep`, ...
  std::string model;  ///< The model's name.

  /// JSON text that holds everything that determines the runs. The store does
  /// not look into it.
  std::string document;

  std::string source_hash;  ///< Of the model's source.
  std::int64_t runs_asked = 1;

  /// The columns of the table of runs; may be none.
  std::vector<RunColumn> columns;
};

/// How an experiment ended. Plain data.
struct ExperimentEnd {
  /// Anything but kRunning.
  ExperimentStatus status = ExperimentStatus::kCompleted;

  std::string message;  ///< One line; empty if there is nothing to say.
  std::string summary;  ///< JSON text; the store does not look into it.
};

/// A file that belongs to an experiment. Plain data.
struct AttachmentInfo {
  std::string name;        ///< `plan.json`; unique within its experiment.
  std::string media_type;  ///< `application/json`.
  std::int64_t size = 0;   ///< Bytes.

  friend bool operator==(const AttachmentInfo&,
                         const AttachmentInfo&) = default;
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

/// All that is known of an experiment but its results. Plain data.
struct ExperimentRecord {
  ExperimentInfo info;
  std::string document;
  std::string source_hash;
  std::string summary;
  std::string notes;
  std::string log;
  std::vector<RunColumn> columns;
  std::vector<std::int64_t> trajectories;   ///< The runs that have one.
  std::vector<std::int64_t> event_logs;     ///< Likewise.
  std::vector<AttachmentInfo> attachments;  ///< In alphabetical order.
};

/// Which experiments to list: those for which all that is given holds. Plain
/// data.
struct ExperimentFilter {
  std::optional<std::string> type;
  std::optional<std::string> model;
  std::optional<std::string> tag;
  std::optional<ExperimentStatus> status;
  std::optional<std::int64_t> created_from_ns;    ///< At this time or later.
  std::optional<std::int64_t> created_before_ns;  ///< Before this time.
  std::optional<std::size_t> limit;               ///< The newest of them.
};

}  // namespace orrery
