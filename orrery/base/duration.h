#pragma once

#include <optional>
#include <string>

#include "orrery/base/time.h"

namespace orrery {

/// The nearest duration; none for what is not a number, infinite, or beyond
/// 9.2e9 s.
[[nodiscard]] std::optional<Duration> NearestDuration(double seconds);

/// The same, where another than a duration is a mistake.
/// @throws Error kInvalidArgument, with the value, for what is not a number,
///     infinite, or beyond 9.2e9 s.
[[nodiscard]] Duration ToDuration(double seconds);

/// In seconds, exactly: "1.5".
[[nodiscard]] std::string SecondsText(Duration duration);

/// With the unit: "1.5 s".
[[nodiscard]] std::string ToText(Duration duration);

}  // namespace orrery
