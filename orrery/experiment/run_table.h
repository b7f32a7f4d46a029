#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/results/trajectory.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// A table of runs none of which is there yet.
[[nodiscard]] RunTable MakeRunTable(std::vector<RunColumn> columns,
                                    std::int64_t runs);

/// Makes it a table of so many runs; new ones are missing.
void Resize(RunTable& table, std::int64_t runs);

/// Adds what has been carried out; columns are those of the table.
void AddTo(RunTable& table, const RunBatch& batch);

/// The values of the column called `name`, by run.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] const std::vector<double>& ColumnOf(const RunTable& table,
                                                  const std::string& name);

/// Of runs of which so many that follow each other are one point: a row for
/// each point, with the means of what is kept; after each of these, as
/// `half_width(x)`, how far to both sides its 95 % interval goes. What failed
/// is left out of them. So of what varies and was drawn anew for each run. The
/// table itself if each run is a point.
[[nodiscard]] RunTable MeansOf(const RunTable& table,
                               std::int64_t replications);

/// The columns as signals over the number of the run, as their time: to plot
/// one over another.
[[nodiscard]] Trajectory ToTrajectory(const RunTable& table);

/// Whether what varies in a column is texts: its numbers are only places in a
/// list of these.
[[nodiscard]] bool HoldsTexts(const RunColumn& column);

/// The text that `number` is in such a column; nothing where a run is missing.
[[nodiscard]] std::optional<std::string> TextAt(const RunColumn& column,
                                                double number);

/// The runs as comma-separated values: `run`, from 1, `status` and the columns;
/// a file that appears whole or not at all.
/// @throws Error kInvalidArgument unless `path` ends in .csv, kIo if the file
///     cannot be written.
void WriteRuns(const std::string& path, const RunTable& table);

/// Finds out whether it can be written; nothing is changed.
/// @throws Error as it does.
void CheckRunsFile(const std::string& path);

/// "missing", "completed" or "failed".
[[nodiscard]] std::string_view Describe(RunStatus status) noexcept;

}  // namespace orrery
