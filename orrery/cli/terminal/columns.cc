#include "orrery/cli/terminal/columns.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include <fmt/format.h>

#include "orrery/base/duration.h"

namespace orrery::cli {
namespace {

constexpr std::size_t kMaxRows = 40;

struct ToWords {
  std::string operator()(std::monostate /*none*/) const { return "-"; }

  std::string operator()(bool value) const { return value ? "true" : "false"; }

  std::string operator()(std::int64_t value) const {
    return std::to_string(value);
  }

  std::string operator()(double value) const { return NumberText(value); }

  std::string operator()(Duration value) const { return ToText(value); }

  std::string operator()(const std::string& value) const { return value; }
};

}  // namespace

std::string InColumns(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += fmt::format("  {:<{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string ShortColumns(std::vector<Row> rows) {
  const std::size_t all = rows.size();
  rows.resize(std::min(all, kMaxRows));
  std::string text = InColumns(rows);
  if (all > kMaxRows) {
    text += fmt::format("  ... and {} more; --output FILE writes them all\n",
                        all - kMaxRows);
  }
  return text;
}

std::string WordsOf(const Record::Value& value) {
  return std::visit(ToWords(), value);
}

}  // namespace orrery::cli
