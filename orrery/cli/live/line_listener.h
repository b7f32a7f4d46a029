#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace orrery::cli {

/// A thread that waits for the lines at a file descriptor as long as it lives.
class LineListener {
 public:
  /// @param take is called with each line, by the thread.
  /// @param end is called by it once there will be none any more.
  LineListener(int descriptor,
               std::function<void(const std::string&)> take,
               std::function<void()> end);
  LineListener(const LineListener&) = delete;
  LineListener& operator=(const LineListener&) = delete;

  /// Waits for the thread, which looks several times a second whether it is to
  /// end.
  ~LineListener();

 private:
  std::atomic<bool> is_to_end_ = false;
  std::thread thread_;
};

}  // namespace orrery::cli
