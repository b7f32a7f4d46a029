#include "orrery/results/table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/units.h"

namespace orrery {

Table::Table(std::string name, std::vector<TableColumn> columns)
    : name_(std::move(name)), columns_(std::move(columns)) {
  for (const TableColumn& column : columns_) {
    ORRERY_CHECK(column.values.size() == rows());
  }
}

const TableColumn* Table::Find(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name, &TableColumn::name);
  return found == columns_.end() ? nullptr : &*found;
}

const TableColumn& Table::operator[](std::string_view name) const {
  if (const TableColumn* const column = Find(name)) {
    return *column;
  }
  std::vector<std::string> known;
  for (const TableColumn& column : columns_) {
    known.push_back(column.name);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot find column '" + std::string(name) + "' in '" + name_ +
                  "': the table has none of this name" +
                  Clause(Suggest(name, known)));
}

const TableColumn& Table::times() const {
  const TableColumn* const time = Find("time");
  return time != nullptr ? *time : columns_.front();
}

std::vector<double> ValuesIn(std::string_view unit,
                             const Table& table,
                             const TableColumn& column) {
  if (column.unit.empty() || unit.empty()) {
    return column.values;
  }
  const std::optional<UnitConversion> convert =
      ConversionBetween(column.unit, unit);
  if (!convert) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take '" + column.name + " [" + column.unit + "]' of " +
                    table.name() + " as a quantity in " + std::string(unit) +
                    ": its unit is none of that kind; write the right one in "
                    "its header, or none");
  }
  std::vector<double> values(column.values.size());
  std::ranges::transform(column.values, values.begin(), *convert);
  return values;
}

Table InUnits(
    const Table& table,
    const std::function<std::string(const std::string& column)>& unit_of) {
  std::vector<TableColumn> columns;
  for (const TableColumn& column : table.columns()) {
    const std::string unit = unit_of(column.name);
    columns.push_back({.name = column.name,
                       .unit = unit.empty() ? column.unit : unit,
                       .values = ValuesIn(unit, table, column)});
  }
  return {table.name(), std::move(columns)};
}

Table InUnitsOf(const SignalTable& signals, const Table& table) {
  return InUnits(table, [&](const std::string& column) {
    const std::optional<std::size_t> signal = signals.Find(column);
    return signal ? signals.signals()[*signal].unit : std::string();
  });
}

}  // namespace orrery
