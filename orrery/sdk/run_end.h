#pragma once

#include <cstdint>
#include <string_view>

namespace orrery {

/// How a run of a DEVS model or of tasks ended. Anything but the first keeps
/// what came before.
enum class RunEnd : std::uint8_t {
  kCompleted,
  kInterrupted,  ///< The observer asked for it.
  kFailed,       ///< The model failed.
};

/// "completed", "interrupted" or "failed".
[[nodiscard]] std::string_view Describe(RunEnd end) noexcept;

}  // namespace orrery
