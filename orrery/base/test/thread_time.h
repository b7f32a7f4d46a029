#pragma once

#include <chrono>
#include <ctime>

#include <gtest/gtest.h>

namespace orrery {

/// For tests: the time that a processor has spent in this thread. Other work on
/// the machine does not move it.
[[nodiscard]] inline std::chrono::nanoseconds ThreadTime() {
  timespec time{};
  EXPECT_EQ(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time), 0);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace orrery
