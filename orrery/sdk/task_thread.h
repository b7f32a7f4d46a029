#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace orrery {

/// One thread that carries out tasks, in their order. It begins with the first
/// of them and has no end: never destroy a TaskThread that has had a task. Any
/// thread may call the functions.
class TaskThread {
 public:
  void Post(std::function<void()> task);

  /// Waits for all earlier tasks, as long as `goes_on`, which is asked a
  /// hundred times a second.
  /// @returns true if they are done.
  bool Await(const std::function<bool()>& goes_on);

  [[nodiscard]] bool is_busy();

 private:
  void Serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::size_t num_posted_ = 0;
  std::size_t num_done_ = 0;
  bool has_thread_ = false;
};

}  // namespace orrery
