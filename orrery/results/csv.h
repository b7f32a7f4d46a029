#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/results/trajectory.h"

namespace orrery {

/// Writes `run` as comma-separated values (RFC 4180): a line of names, `time`
/// first, then a line for every row. Numbers are the shortest that read back to
/// the same bits; not-a-number is `nan`, infinity `inf`.
///
/// @param signals indices of the signals to write, in their order.
/// @param sink takes the text piece by piece.
void WriteCsv(const Trajectory& run,
              std::span<const std::size_t> signals,
              const std::function<void(std::string_view)>& sink);

/// A column of a table.
struct TableColumn {
  std::string name;
  std::string unit;            ///< From a header `name [unit]`; may be empty.
  std::vector<double> values;  ///< NaN where the value is missing.
};

/// Numbers in named columns of equal length: inputs, measured data.
class Table {
 public:
  /// @param name name in messages, mostly the file's path.
  Table(std::string name, std::vector<TableColumn> columns);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] std::size_t rows() const noexcept {
    return columns_.empty() ? 0 : columns_.front().values.size();
  }

  [[nodiscard]] const std::vector<TableColumn>& columns() const noexcept {
    return columns_;
  }

  /// The column called `name`; null if there is none.
  [[nodiscard]] const TableColumn* Find(std::string_view name) const;

  /// The same.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] const TableColumn& operator[](std::string_view name) const;

  /// The column of times of values over time: `time`, else the first.
  [[nodiscard]] const TableColumn& times() const;

 private:
  std::string name_;
  std::vector<TableColumn> columns_;
};

/// Reads a table of numbers as spreadsheets and programs write it: separated by
/// commas, semicolons (then with decimal point or comma) or tabs, whichever the
/// first line has; lines end with LF or CRLF; blank lines and lines that begin
/// with `#` are skipped; cells may be quoted.
///
/// The first line is a header unless all of it is numbers; columns without a
/// name are called `column1`, `column2`, ... A header `x [m]` names column `x`
/// of unit `m`; `u[3]`, without the space, is a name; times in a column `time
/// [ms]` are converted to seconds. Empty cells, `NA`, `N/A`, `nan` and `null`
/// are missing values; `true` and `false` are 1 and 0.
///
/// @throws Error kInvalidArgument with a diagnostic for each bad cell, row of
///     another length, second column of a name, unit of `time` that is none of
///     time, or for a file without rows.
[[nodiscard]] Table ParseTable(std::shared_ptr<const SourceFile> source);

/// Likewise, from the file at `path`.
/// @throws Error kIo if it cannot be read.
[[nodiscard]] Table ReadTable(const std::string& path);

/// Like ParseTable, for values over time: if no column is called `time`, times
/// in the first one, as in `t [ms]`, are converted to seconds.
[[nodiscard]] Table ParseTableOverTime(
    std::shared_ptr<const SourceFile> source);

/// The values of a column in `unit`; unconverted if it, or the column, has no
/// unit.
/// @throws Error kInvalidArgument if they cannot be converted.
[[nodiscard]] std::vector<double> ValuesIn(std::string_view unit,
                                           const Table& table,
                                           const TableColumn& column);

/// The table with each column converted to the unit of `unit_of`; empty:
/// unconverted.
/// @throws Error as ValuesIn does.
[[nodiscard]] Table InUnits(
    const Table& table,
    const std::function<std::string(const std::string& column)>& unit_of);

/// The table with each column converted to the unit of the signal of its name.
[[nodiscard]] Table InUnitsOf(const SignalTable& signals, const Table& table);

}  // namespace orrery
