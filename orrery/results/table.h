#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery {

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
