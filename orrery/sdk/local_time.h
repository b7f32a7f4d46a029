#pragma once

#include <cstdint>
#include <string>

namespace orrery {

/// A time since 1970 in the time zone of the user: `2026-11-21 10:14`.
[[nodiscard]] std::string LocalTime(std::int64_t ns);

}  // namespace orrery
