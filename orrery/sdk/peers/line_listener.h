#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace orrery {

/// A thread that waits for the lines at a file descriptor during its lifetime.
class LineListener {
 public:
  /// @param take called with each line, by the thread.
  /// @param end called by it at the end of the input.
  LineListener(int descriptor,
               std::function<void(const std::string&)> take,
               std::function<void()> end);
  LineListener(const LineListener&) = delete;
  LineListener& operator=(const LineListener&) = delete;

  /// Waits for the thread, which checks several times a second if it is to end.
  ~LineListener();

 private:
  std::atomic<bool> is_to_end_ = false;
  std::thread thread_;
};

}  // namespace orrery
