#include "orrery/sdk/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace orrery {
namespace {

// Number of checks of a thread for work before it sleeps: some ten
// microseconds, about the cost of waking it.
constexpr int kLooks = 4'000;

// Waits until `value` is no longer `old`.
template <typename T>
void Await(const std::atomic<T>& value, T old) {
  for (int i = 0; i < kLooks; ++i) {
    if (value.load(std::memory_order_acquire) != old) {
      return;
    }
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

// Threads that wait for rounds of work. In a round each thread draws numbers
// below `count` until there are none left.
class ThreadPool::Workers {
 public:
  explicit Workers(std::size_t count) {
    threads_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      threads_.emplace_back([this] { Serve(); });
    }
  }

  ~Workers() {
    is_over_ = true;
    Begin();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return threads_.size(); }

  void Run(std::size_t count, Task task) {
    count_ = count;
    task_ = task;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(threads_.size(), std::memory_order_relaxed);
    Begin();
    Draw();
    for (std::size_t busy = busy_.load(std::memory_order_acquire); busy != 0;
         busy = busy_.load(std::memory_order_acquire)) {
      Await(busy_, busy);
    }
  }

 private:
  void Begin() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  void Draw() {
    for (std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
         i < count_;
         i = next_.fetch_add(1, std::memory_order_relaxed)) {
      task_(i);
    }
  }

  void Serve() {
    for (std::uint32_t round = 0;; ++round) {
      Await(round_, round);
      if (is_over_) {
        return;
      }
      Draw();
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        busy_.notify_one();
      }
    }
  }

  // Written only between rounds.
  std::size_t count_ = 0;
  Task task_;
  bool is_over_ = false;

  std::atomic<std::uint32_t> round_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> busy_ = 0;  // Threads that still draw.
  std::vector<std::thread> threads_;
};

ThreadPool::ThreadPool(std::size_t concurrency) {
  const std::size_t wanted =
      concurrency == 0 ? std::thread::hardware_concurrency() : concurrency;
  workers_ = std::make_unique<Workers>(std::max<std::size_t>(wanted, 1) - 1);
}

ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::concurrency() const noexcept {
  return workers_->size() + 1;
}

void ThreadPool::Run(std::size_t count, Task task) {
  if (count > 1) {
    workers_->Run(count, task);
  } else if (count == 1) {  // No thread needs to be woken.
    task(0);
  }
}

}  // namespace orrery
