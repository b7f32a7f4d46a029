#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/sdk/run_end.h"

namespace orrery::internal {

/// Steps `run`, a simulator of events, up to `stop`; without one, until
/// nothing is due any more.
/// @param watch is asked now and then whether to go on; may be empty.
/// @returns whether the run came to its end: false if `watch` said no.
/// @throws Error kInvalidModel, naming `model`, if there is no `stop` and no
///     end in sight; and what the run does.
template <typename Simulator>
[[nodiscard]] bool Advance(
    Simulator& run,
    std::optional<Duration> stop,
    const std::string& model,
    const std::function<bool(Duration, std::optional<Duration>)>& watch) {
  constexpr std::int64_t kWatchedInstants = 64;
  for (std::int64_t instants = 0;; ++instants) {
    if (watch && instants % kWatchedInstants == 0 && !watch(run.now(), stop)) {
      return false;
    }
    const Duration next = run.next_time();
    if (next == Duration::max() || (stop && next > *stop)) {
      break;
    }
    if (!stop && instants == kMaxInstantsWithoutStop) {
      throw Error(
          ErrorCode::kInvalidModel,
          "cannot go on with " + model + " at t = " + ToText(run.now()) +
              ": no end is given, and after " +
              std::to_string(kMaxInstantsWithoutStop) +
              " times with events something is due still; give a time to stop "
              "at");
    }
    run.Step();
  }
  if (stop) {
    run.RunUntil(*stop);
  }
  return true;
}

}  // namespace orrery::internal
