#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/results/trajectory.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// Makes a table of runs that are all missing.
[[nodiscard]] RunTable MakeRunTable(std::vector<RunColumn> columns,
                                    std::int64_t runs);

/// Changes the number of runs; new ones are missing.
void Resize(RunTable& table, std::int64_t runs);

/// Adds runs that have been carried out; their columns are those of the table.
void AddTo(RunTable& table, const RunBatch& batch);

/// The values of the column called `name`, by run.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] const std::vector<double>& ColumnOf(const RunTable& table,
                                                  const std::string& name);

/// Returns a row for each point of runs, `replications` consecutive runs a
/// point, with the means of the results. After each mean follows
/// `half_width(x)`, the half-width of its 95 % interval. Failed runs are left
/// out of the means. Inputs that were drawn anew for each run are averaged
/// likewise. Returns the table itself if each run is a point.
[[nodiscard]] RunTable MeansOf(const RunTable& table,
                               std::int64_t replications);

/// Returns the columns as signals over the run number instead of time, to plot
/// one over another.
[[nodiscard]] Trajectory ToTrajectory(const RunTable& table);

/// True if the values of a varied column are texts: its numbers are places in a
/// list of these.
[[nodiscard]] bool HoldsTexts(const RunColumn& column);

/// The text that `number` stands for in such a column; nothing where a run is
/// missing.
[[nodiscard]] std::optional<std::string> TextAt(const RunColumn& column,
                                                double number);

/// Writes the runs as comma-separated values: `run`, from 1, `status` and the
/// columns. The file appears complete or not at all.
/// @throws Error kInvalidArgument unless `path` ends in .csv, kIo if the file
///     cannot be written.
void WriteRuns(const std::string& path, const RunTable& table);

/// Finds out whether the file can be written; changes nothing.
/// @throws Error as WriteRuns.
void CheckRunsFile(const std::string& path);

/// "missing", "completed" or "failed".
[[nodiscard]] std::string_view Describe(RunStatus status) noexcept;

}  // namespace orrery
