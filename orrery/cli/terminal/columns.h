#pragma once

#include <string>
#include <vector>

#include "orrery/base/values/record.h"
#include "orrery/sdk/reports/value_text.h"  // IWYU pragma: export
#include "orrery/sdk/results.h"

namespace orrery::cli {

using Row = std::vector<std::string>;

/// The rows as columns two spaces apart, each line indented.
[[nodiscard]] std::string InColumns(const std::vector<Row>& rows);

/// Likewise, but only the first rows of many, and their number.
[[nodiscard]] std::string ShortColumns(std::vector<Row> rows);

/// The text of a value of any type; "-" for none.
[[nodiscard]] std::string WordsOf(const Record::Value& value);

}  // namespace orrery::cli
