#include "orrery/python/bindings/background.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "orrery/python/bindings/watch.h"

namespace orrery::python {
namespace {

// One thread that carries out tasks, which begins with the first of them.
class Background {
 public:
  void Post(std::function<void()> task) {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
    ++num_posted_;
    if (!std::exchange(has_thread_, true)) {
      std::thread([this] { Serve(); }).detach();
    }
    changed_.notify_all();
  }

  // Waits for all earlier tasks, as long as `goes_on`.
  bool Await(const std::function<bool()>& goes_on) {
    constexpr std::chrono::milliseconds kBetweenLooks(10);
    std::unique_lock lock(mutex_);
    const std::size_t awaited = num_posted_;
    while (num_done_ < awaited && goes_on()) {
      changed_.wait_for(lock, kBetweenLooks);
    }
    return num_done_ >= awaited;
  }

 private:
  void Serve() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !tasks_.empty(); });
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
      task = {};  // Destroy the objects that it owns before it counts as done.
      const std::scoped_lock lock(mutex_);
      ++num_done_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::size_t num_posted_ = 0;
  std::size_t num_done_ = 0;
  bool has_thread_ = false;
};

// Never destroyed: its thread lasts as long as the process. A process that
// `fork` has made has no such thread, and gets a new one.
Background*& TheBackground() {
  // NOLINTNEXTLINE(*-owning-memory,*-avoid-non-const-global-variables)
  static Background* background = new Background;
  static const int is_watched =
      pthread_atfork(nullptr, nullptr, [] { background = new Background; });
  static_cast<void>(is_watched);
  return background;
}

class ProcessAttendant final : public Attendant {
 public:
  explicit ProcessAttendant(
      std::shared_ptr<const std::atomic<bool>> has_stopped)
      : has_stopped_(std::move(has_stopped)) {}

  [[nodiscard]] bool goes_on() const noexcept override {
    return !*has_stopped_ && Watch::LetsGoOn();
  }

  void Post(std::function<void()> task) override {
    TheBackground()->Post(std::move(task));
  }

  [[nodiscard]] bool Await() override {
    return TheBackground()->Await([this] { return goes_on(); });
  }

 private:
  std::shared_ptr<const std::atomic<bool>> has_stopped_;
};

}  // namespace

const std::shared_ptr<Attendant>& TheAttendant() {
  static const std::shared_ptr<Attendant> attendant =
      AttendantUntil(std::make_shared<std::atomic<bool>>(false));
  return attendant;
}

std::shared_ptr<Attendant> AttendantUntil(
    std::shared_ptr<const std::atomic<bool>> has_stopped) {
  return std::make_shared<ProcessAttendant>(std::move(has_stopped));
}

void AwaitBackground() {
  static_cast<void>(TheBackground()->Await([] { return true; }));
}

}  // namespace orrery::python
