#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::server {

/// The target of a request, decoded. Plain data.
struct Target {
  std::vector<std::string> path;
  std::map<std::string, std::string, std::less<>> query;
};

/// Reads a target: `/api/file?path=a%20b.mo` has the path {"api", "file"} and
/// the query {"path": "a b.mo"}. `+` in a query is a blank. Of several
/// parameters of one name the first holds.
/// @returns nothing for a text that does not begin with `/`, for an empty part
///     of the path, `.` and `..` in it, a code that is not two hexadecimal
///     digits, a decoded part with a null byte, and a part of the path with a
///     decoded slash.
[[nodiscard]] std::optional<Target> ParseTarget(std::string_view text);

/// Reads a number of decimal digits, as in the address of an experiment.
/// @returns nothing for another text, and for a number of more than 15 digits.
[[nodiscard]] std::optional<long long> ParseId(std::string_view text);

}  // namespace orrery::server
