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

/// A clock for tests: it shows the time up to which it was waited for or
/// worked, and what other threads would do at a time is done in between, by the
/// same thread.
class ManualClock final : public WallClock {
 public:
  explicit ManualClock(Duration start) : now_(start) {}

  /// Lets something happen when the clock comes to show `time`.
  void At(Duration time, std::function<void()> happens) {
    plans_.emplace(time, std::move(happens));
  }

  /// Lets time go by in which somebody works.
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

  /// The times for which it was waited.
  [[nodiscard]] const std::vector<Duration>& waits() const { return waits_; }

 private:
  // The next that is planned, if it is not later than `time`.
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
