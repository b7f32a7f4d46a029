#include "orrery/sdk/task_thread.h"

#include <chrono>
#include <thread>
#include <utility>

namespace orrery {

void TaskThread::Post(std::function<void()> task) {
  const std::scoped_lock lock(mutex_);
  tasks_.push_back(std::move(task));
  ++num_posted_;
  if (!std::exchange(has_thread_, true)) {
    std::thread([this] { Serve(); }).detach();
  }
  changed_.notify_all();
}

bool TaskThread::Await(const std::function<bool()>& goes_on) {
  // A signal handler cannot notify the condition variable.
  constexpr std::chrono::milliseconds kBetweenLooks(10);
  std::unique_lock lock(mutex_);
  const std::size_t awaited = num_posted_;
  while (num_done_ < awaited && goes_on()) {
    changed_.wait_for(lock, kBetweenLooks);
  }
  return num_done_ >= awaited;
}

bool TaskThread::is_busy() {
  const std::scoped_lock lock(mutex_);
  return num_done_ < num_posted_;
}

void TaskThread::Serve() {
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

}  // namespace orrery
