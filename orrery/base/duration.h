#pragma once

#include <optional>
#include <string>

#include "orrery/base/time.h"

namespace orrery {

/// Returns the nearest duration; nothing for NaN, infinity, and values beyond
/// 9.2e9 s.
[[nodiscard]] std::optional<Duration> NearestDuration(double seconds);

/// The same, for values that must be durations.
/// @throws Error kInvalidArgument, with the value, for NaN, infinity, and
///     values beyond 9.2e9 s.
[[nodiscard]] Duration ToDuration(double seconds);

/// In seconds, exactly: "1.5".
[[nodiscard]] std::string SecondsText(Duration duration);

/// With the unit: "1.5 s".
[[nodiscard]] std::string ToText(Duration duration);

}  // namespace orrery
