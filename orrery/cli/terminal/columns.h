#pragma once

#include <string>
#include <vector>

#include "orrery/base/values/record.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {

using Row = std::vector<std::string>;

/// The rows as columns two spaces apart, each line indented.
[[nodiscard]] std::string InColumns(const std::vector<Row>& rows);

/// Likewise, but only the first rows of many, and their number.
[[nodiscard]] std::string ShortColumns(std::vector<Row> rows);

/// With six digits; "-" for NaN.
[[nodiscard]] std::string NumberText(double value);

/// Returns the name of a value by `SignalInfo::value_names`; empty if it has
/// none.
[[nodiscard]] std::string NameOfValue(const std::vector<std::string>& names,
                                      double value);

/// The name of the value, if it has one; otherwise NumberText.
[[nodiscard]] std::string ValueText(const std::vector<std::string>& names,
                                    double value);

/// The text of a value of any type; "-" for none.
[[nodiscard]] std::string WordsOf(const Record::Value& value);

}  // namespace orrery::cli
