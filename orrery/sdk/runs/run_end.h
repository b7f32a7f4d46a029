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

/// Times with events in a run without a stop time, beyond which it is taken for
/// endless: it fails.
inline constexpr std::int64_t kMaxInstantsWithoutStop = 1'000'000;

/// "completed", "interrupted" or "failed".
[[nodiscard]] std::string_view Describe(RunEnd end) noexcept;

}  // namespace orrery
