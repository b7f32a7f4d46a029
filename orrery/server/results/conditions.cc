#include "orrery/server/results/conditions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

using Relation = RunCondition::Relation;

// Longer ones first.
constexpr std::array<std::pair<std::string_view, Relation>, 6> kRelations = {
    {{"<=", Relation::kLessOrEqual},
     {">=", Relation::kGreaterOrEqual},
     {"!=", Relation::kNotEqual},
     {"<", Relation::kLess},
     {">", Relation::kGreater},
     {"=", Relation::kEqual}}};

[[noreturn]] void RefuseCondition(std::string_view text) {
  throw HttpError{
      .status = 400,
      .code = "query",
      .message = fmt::format("cannot take the condition '{}'", text),
      .hint = "as in k>3,max(w)<=10"};
}

// The last relation: a measure may have one in its name, `max(x>1)`.
RunCondition ParseCondition(std::string_view text) {
  for (std::size_t i = text.size(); i-- > 0;) {
    for (const auto& [sign, relation] : kRelations) {
      if (!text.substr(i).starts_with(sign)) {
        continue;
      }
      // `<=` is found at its `=` first.
      const bool is_second =
          sign == "=" && i > 0 &&
          std::string_view("<>!").find(text[i - 1]) != std::string_view::npos;
      const std::size_t begin = is_second ? i - 1 : i;
      const std::optional<double> value =
          ParseNumber(std::string(text.substr(i + sign.size())));
      if (!value || begin == 0) {
        RefuseCondition(text);
      }
      const auto found =
          std::ranges::find(kRelations,
                            is_second ? text.substr(begin, 2) : sign,
                            &std::pair<std::string_view, Relation>::first);
      return {.column = std::string(text.substr(0, begin)),
              .relation = found->second,
              .value = *value};
    }
  }
  RefuseCondition(text);
}

bool Holds(double value, const RunCondition& condition) {
  switch (condition.relation) {
    case Relation::kLess:
      return value < condition.value;
    case Relation::kLessOrEqual:
      return value <= condition.value;
    case Relation::kGreater:
      return value > condition.value;
    case Relation::kGreaterOrEqual:
      return value >= condition.value;
    case Relation::kEqual:
      return value == condition.value;
    case Relation::kNotEqual:
      return value != condition.value;
  }
  return false;
}

const std::vector<double>& ColumnNamed(const RunTable& table,
                                       std::string_view name) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) {
      return table.values[c];
    }
    names.push_back(table.columns[c].name);
  }
  throw HttpError{
      .status = 400,
      .code = "query",
      .message = fmt::format("cannot find column '{}' of the table", name),
      .hint = Suggest(name, names)};
}

}  // namespace

std::vector<std::string_view> SplitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' ? 1 : 0;
    depth -= c == ')' || c == ']' ? 1 : 0;
    if (c == ',' && depth <= 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<RunCondition> ParseConditions(std::string_view text) {
  std::vector<RunCondition> conditions;
  if (text.empty()) {
    return conditions;
  }
  for (const std::string_view part : SplitAtCommas(text)) {
    conditions.push_back(ParseCondition(part));
  }
  return conditions;
}

std::vector<std::size_t> ChooseRuns(const RunTable& table,
                                    const std::vector<RunCondition>& conditions,
                                    std::string_view sort) {
  std::vector<std::size_t> runs(table.status.size());
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  for (const RunCondition& condition : conditions) {
    const std::vector<double>& column = ColumnNamed(table, condition.column);
    std::erase_if(
        runs, [&](std::size_t run) { return !Holds(column[run], condition); });
  }
  if (sort.empty()) {
    return runs;
  }
  const bool is_down = sort.front() == '-';
  const std::vector<double>& column =
      ColumnNamed(table, sort.substr(is_down ? 1 : 0));
  std::ranges::stable_sort(runs, [&](std::size_t a, std::size_t b) {
    const double x = column[a];
    const double y = column[b];
    if (std::isnan(x) || std::isnan(y)) {
      return !std::isnan(x) && std::isnan(y);
    }
    return is_down ? x > y : x < y;
  });
  return runs;
}

}  // namespace orrery::server
