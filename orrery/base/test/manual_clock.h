#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/system/wall_clock.h"

namespace orrery {

/// A clock for tests. It shows the time up to which callers have waited or
/// worked. The actions of other threads at a time take place in between, in the
/// same thread.
class ManualClock final : public WallClock {
 public:
  explicit ManualClock(Duration start) : now_(start) {}

  /// Plans an action for the time when the clock shows `time`.
  void At(Duration time, std::function<void()> happens) {
    plans_.emplace(time, std::move(happens));
  }

  /// Lets time pass during which somebody works.
  void Work(Duration time) {
    const Duration end = now_ + time;
    while (HappensBy(end)) {
    }
    now_ = std::max(now_, end);
  }

  [[nodiscard]] Duration now() const override { return now_; }

  void WaitUntil(Duration time,
                 std::unique_lock<std::mutex>& lock,
                 std::condition_variable& /*wake*/) override {
    waits_.push_back(time);
    lock.unlock();
    const bool happens = HappensBy(time);
    lock.lock();
    if (!happens) {
      ORRERY_CHECK(time != Duration::max());  // Nothing would ever happen.
      now_ = std::max(now_, time);
    }
  }

  /// The times of all waits.
  [[nodiscard]] const std::vector<Duration>& waits() const { return waits_; }

 private:
  // Runs the next planned action, if it is not later than `time`.
  bool HappensBy(Duration time) {
    if (plans_.empty() || plans_.begin()->first > time) {
      return false;
    }
    const auto plan = plans_.extract(plans_.begin());
    now_ = std::max(now_, plan.key());
    plan.mapped()();
    return true;
  }

  Duration now_;
  std::multimap<Duration, std::function<void()>> plans_;
  std::vector<Duration> waits_;
};

}  // namespace orrery
