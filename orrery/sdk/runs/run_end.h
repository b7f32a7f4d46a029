#pragma once

#include <cstdint>
#include <string_view>

namespace orrery {

/// The end of a run of a DEVS model or of tasks. The results before the end are
/// kept in all cases.
enum class RunEnd : std::uint8_t {
  kCompleted,
  kInterrupted,  ///< The observer stopped it.
  kFailed,       ///< The model failed.
};

/// Limit of times with events in a run without a stop time. A run beyond it
/// counts as endless, and fails.
inline constexpr std::int64_t kMaxInstantsWithoutStop = 1'000'000;

/// "completed", "interrupted" or "failed".
[[nodiscard]] std::string_view Describe(RunEnd end) noexcept;

}  // namespace orrery
