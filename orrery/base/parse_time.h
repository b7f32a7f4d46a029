#pragma once

#include <optional>
#include <string_view>

#include "orrery/base/time.h"

namespace orrery {

/// Reads a time in a text of a user, in seconds: a finite number and, perhaps
/// after spaces, a unit of time: `24h`, `90 min`, `10ms`, `1e3`. Returns
/// nothing for other texts.
[[nodiscard]] std::optional<double> ParseSeconds(std::string_view text);

/// The same to the nearest nanosecond, also if a double is less accurate,
/// except for numbers with an exponent. Also returns nothing beyond 9.2e9 s.
[[nodiscard]] std::optional<Duration> ParseDuration(std::string_view text);

}  // namespace orrery
