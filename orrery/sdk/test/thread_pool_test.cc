#include "orrery/sdk/thread_pool.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(ThreadPoolTest, CallsEachNumberOnceInEachRound) {
  ThreadPool pool(4);
  ASSERT_EQ(pool.concurrency(), 4U);
  std::vector<int> calls(1000);
  for (std::size_t round = 0; round < 200; ++round) {
    const std::size_t count = 5 * round % calls.size();
    std::ranges::fill(calls, 0);
    pool.ForEach(count, [&](std::size_t i) { ++calls[i]; });
    for (std::size_t i = 0; i < calls.size(); ++i) {
      ASSERT_EQ(calls[i], i < count ? 1 : 0) << round << ", " << i;
    }
  }
}

TEST(ThreadPoolTest, CallsFromAsManyThreadsAsItSays) {
  ThreadPool pool(3);
  std::atomic<int> here = 0;
  std::vector<std::thread::id> ids(3);
  // Each waits for the others, so that two on one thread would wait for ever.
  pool.ForEach(3, [&](std::size_t i) {
    ids[i] = std::this_thread::get_id();
    ++here;
    while (here < 3) {
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 3U);
}

TEST(ThreadPoolTest, PoolOfOneCallsInTheThreadThatAsks) {
  ThreadPool pool(1);
  std::thread::id id;
  pool.ForEach(1, [&](std::size_t) { id = std::this_thread::get_id(); });
  EXPECT_EQ(id, std::this_thread::get_id());
}

TEST(ThreadPoolTest, HasAsManyThreadsAsTheMachineUnlessTold) {
  EXPECT_EQ(ThreadPool().concurrency(),
            std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace orrery
