#pragma once

#include <string>
#include <vector>

#include "orrery/base/values/record.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {

using Row = std::vector<std::string>;

/// The rows as columns two spaces apart, each line indented.
[[nodiscard]] std::string InColumns(const std::vector<Row>& rows);

/// Likewise, but of many the first only, and how many there are.
[[nodiscard]] std::string ShortColumns(std::vector<Row> rows);

/// With six digits; "-" for what is no number.
[[nodiscard]] std::string NumberText(double value);

/// What a value is called by `SignalInfo::value_names`; empty if it has no
/// name.
[[nodiscard]] std::string NameOfValue(const std::vector<std::string>& names,
                                      double value);

/// The name that the value has; else as NumberText.
[[nodiscard]] std::string ValueText(const std::vector<std::string>& names,
                                    double value);

/// Likewise of a value of any type; "-" for none.
[[nodiscard]] std::string WordsOf(const Record::Value& value);

}  // namespace orrery::cli
