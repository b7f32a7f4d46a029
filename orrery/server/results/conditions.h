#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/sdk/experiments.h"

namespace orrery::server {

/// A condition on the runs of a table: `k>3`. Plain data.
struct RunCondition {
  enum class Relation : std::uint8_t {
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kEqual,
    kNotEqual
  };

  std::string column;
  Relation relation = Relation::kEqual;
  double value = 0;

  friend bool operator==(const RunCondition&, const RunCondition&) = default;
};

/// The parts of a text between its commas, except for commas within parentheses
/// or brackets, which belong to a name: `max(x,y)`, `u[1,2]`.
[[nodiscard]] std::vector<std::string_view> SplitAtCommas(
    std::string_view text);

/// Reads conditions with `,` between them: `k>3,max(w)<=10,mode!=2`.
/// @throws HttpError 400 that explains the form.
[[nodiscard]] std::vector<RunCondition> ParseConditions(std::string_view text);

/// The runs that meet all conditions, in the order of a column: `peak`, or
/// `-peak` from the greatest to the least; empty: of their numbers. Runs
/// without a value come last.
/// @throws HttpError 400 for a column that is not there.
[[nodiscard]] std::vector<std::size_t> ChooseRuns(
    const RunTable& table,
    const std::vector<RunCondition>& conditions,
    std::string_view sort);

}  // namespace orrery::server
