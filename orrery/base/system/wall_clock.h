#pragma once

#include <condition_variable>
#include <mutex>

#include "orrery/base/time.h"

namespace orrery {

/// The time of the world outside, which goes on by itself and never back. An
/// engine that is to keep pace with it takes one; who calls the engine makes
/// it. Its functions may be called from any thread.
class WallClock {
 public:
  WallClock() = default;
  virtual ~WallClock() = default;
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;

  /// The time since a moment of the clock's own choice.
  [[nodiscard]] virtual Duration now() const = 0;

  /// Gives up `lock` and waits until now() is `time`, for ever if that is
  /// Duration::max(), or until `wake` is notified; may come back before both.
  /// Who notifies changes what is waited for under the same mutex before, so
  /// that no waking is lost.
  virtual void WaitUntil(Duration time,
                         std::unique_lock<std::mutex>& lock,
                         std::condition_variable& wake) = 0;
};

}  // namespace orrery
