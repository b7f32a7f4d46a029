#pragma once

#include <cstdint>

namespace orrery {

/// In which direction a quantity comes to a threshold, or crosses zero.
enum class Direction : std::uint8_t { kRising, kFalling, kEither };

}  // namespace orrery
