#pragma once

#include <cstdint>

namespace orrery {

/// The direction in which a quantity reaches a threshold, or crosses zero.
enum class Direction : std::uint8_t { kRising, kFalling, kEither };

}  // namespace orrery
