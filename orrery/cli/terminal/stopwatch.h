#pragma once

#include <chrono>

namespace orrery::cli {

/// Measures the time since its construction.
class Stopwatch {
 public:
  [[nodiscard]] double Milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin_)
        .count();
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point begin_ = Clock::now();
};

}  // namespace orrery::cli
