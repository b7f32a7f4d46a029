#pragma once

#include <condition_variable>
#include <mutex>

#include "orrery/base/time.h"

namespace orrery {

/// The time outside of the program, which never goes back. An engine that keeps
/// pace with it takes one; the caller of the engine makes it. Any thread may
/// call its functions.
class WallClock {
 public:
  WallClock() = default;
  virtual ~WallClock() = default;
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;

  /// The time since an origin of the clock's choice.
  [[nodiscard]] virtual Duration now() const = 0;

  /// Releases `lock` and waits until now() is `time`, for ever if that is
  /// Duration::max(), or until `wake` is notified; may return before both.
  /// Before notifying, the notifier must change the awaited state under the
  /// same mutex, so that no notification is lost.
  virtual void WaitUntil(Duration time,
                         std::unique_lock<std::mutex>& lock,
                         std::condition_variable& wake) = 0;
};

}  // namespace orrery
