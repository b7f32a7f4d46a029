#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "orrery/base/system/wall_clock.h"

namespace orrery {

/// The steady clock of the machine, which is independent of its date.
class SteadyClock final : public WallClock {
 public:
  [[nodiscard]] Duration now() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }

  void WaitUntil(Duration time,
                 std::unique_lock<std::mutex>& lock,
                 std::condition_variable& wake) override {
    wake.wait_until(lock, std::chrono::steady_clock::time_point(time));
  }
};

}  // namespace orrery
