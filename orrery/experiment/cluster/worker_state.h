#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/cluster/jet_stream.h"
#include "orrery/experiment/cluster/served_job.h"

namespace orrery::experiment::internal {

/// The number of lanes of a worker at work. A lane that must be alone excludes
/// all others.
class Occupancy {
 public:
  /// Returns true if a lane may begin now; it ends with End().
  [[nodiscard]] bool TryBegin(bool alone) {
    const std::lock_guard lock(mutex_);
    if (is_alone_ || (alone && at_work_ > 0)) {
      return false;
    }
    is_alone_ = alone;
    ++at_work_;
    return true;
  }

  void End() {
    const std::lock_guard lock(mutex_);
    is_alone_ = false;
    --at_work_;
  }

  [[nodiscard]] bool is_idle() {
    const std::lock_guard lock(mutex_);
    return at_work_ == 0;
  }

 private:
  std::mutex mutex_;
  int at_work_ = 0;
  bool is_alone_ = false;
};

/// The message of a lane at work, which must be kept meanwhile.
class KeptMessage {
 public:
  void Begin(QueuedMessage& message, Duration between, Duration now) {
    const std::lock_guard lock(mutex_);
    message_ = &message;
    between_ = between;
    next_ = now + between;
  }

  void End() {
    const std::lock_guard lock(mutex_);
    message_ = nullptr;
  }

  void KeepIfDue(Duration now) {
    const std::lock_guard lock(mutex_);
    if (message_ != nullptr && now >= next_) {
      message_->Keep();
      next_ = now + between_;
    }
  }

 private:
  std::mutex mutex_;
  QueuedMessage* message_ = nullptr;
  Duration between_{};
  Duration next_{};
};

/// The state that all lanes of a worker share.
struct WorkerState {
  WorkerState(const WorkerOptions& its_options,
              WallClock& its_clock,
              std::size_t lanes)
      : options(its_options),
        clock(its_clock),
        server(its_options.url, "orrery worker " + its_options.name),
        kept(lanes) {}

  [[nodiscard]] bool GoesOn() const {
    return !is_over && (!options.goes_on || options.goes_on());
  }

  [[nodiscard]] std::vector<std::shared_ptr<ServedJob>> Jobs() {
    const std::lock_guard lock(mutex);
    return jobs;
  }

  void Wait(Duration time) {
    std::unique_lock lock(mutex);
    clock.WaitUntil(clock.now() + time, lock, wake);
  }

  const WorkerOptions& options;
  WallClock& clock;
  JetStream server;
  std::vector<KeptMessage> kept;  // By lane.
  Occupancy occupancy;
  std::atomic<bool> is_over = false;
  std::atomic<std::int64_t> num_runs = 0;

  std::mutex mutex;
  std::condition_variable wake;  // Never notified: the ends are polled.
  std::vector<std::shared_ptr<ServedJob>> jobs;
};

}  // namespace orrery::experiment::internal
