#include "orrery/cli/terminal/background.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "orrery/cli/terminal/interrupt.h"

namespace orrery::cli {
namespace {

class Background final : public Attendant {
 public:
  [[nodiscard]] bool goes_on() const noexcept override {
    return InterruptGuard::goes_on();
  }

  void Post(std::function<void()> task) override {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
    ++num_posted_;
    if (!std::exchange(has_thread_, true)) {
      std::thread([this] { Serve(); }).detach();
    }
    changed_.notify_all();
  }

  [[nodiscard]] bool Await() override {
    // A signal handler cannot notify the condition variable.
    constexpr std::chrono::milliseconds kBetweenLooks(10);
    std::unique_lock lock(mutex_);
    const std::size_t awaited = num_posted_;
    while (num_done_ < awaited && goes_on()) {
      changed_.wait_for(lock, kBetweenLooks);
    }
    return num_done_ >= awaited;
  }

  [[nodiscard]] bool is_busy() {
    const std::scoped_lock lock(mutex_);
    return num_done_ < num_posted_;
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

// Never destroyed: its thread lasts as long as the process.
const std::shared_ptr<Background>& TheBackground() {
  // NOLINTNEXTLINE(*-owning-memory,*-avoid-non-const-global-variables)
  static const auto* const background =
      new std::shared_ptr<Background>(std::make_shared<Background>());
  return *background;
}

}  // namespace

std::shared_ptr<Attendant> ProcessAttendant() {
  return TheBackground();
}

void EndIfBusy(int status) {
  if (TheBackground()->is_busy()) {
    std::fflush(nullptr);
    std::_Exit(status);
  }
}

}  // namespace orrery::cli
