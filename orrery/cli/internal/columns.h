#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

using Row = std::vector<std::string>;

/// The rows as columns two spaces apart, each line indented.
[[nodiscard]] std::string InColumns(const std::vector<Row>& rows);

/// Likewise, but of many the first only, and how many there are.
[[nodiscard]] std::string ShortColumns(std::vector<Row> rows);

/// With six digits; "-" for what is no number.
[[nodiscard]] std::string NumberText(double value);

}  // namespace orrery::cli
