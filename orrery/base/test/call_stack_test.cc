#include "orrery/base/call_stack.h"

#include <pthread.h>

#include <cstddef>

#include <gtest/gtest.h>

namespace orrery {
namespace {

// The number of recursive calls until the stack is nearly full; every call
// takes at least 1 KB.
std::size_t DeepestCall(std::size_t depth) {
  volatile unsigned char frame[1024];
  frame[depth % sizeof frame] = 1;
  return IsStackNearlyFull() ? depth
                             : DeepestCall(depth + frame[depth % sizeof frame]);
}

// The same on a thread with a stack of `bytes`.
std::size_t DeepestCallOn(std::size_t bytes) {
  std::size_t depth = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread{};
  const auto run = [](void* result) -> void* {
    *static_cast<std::size_t*>(result) = DeepestCall(0);
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &depth), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return depth;
}

constexpr std::size_t kMiB = std::size_t{1024} * 1024;

TEST(CallStackTest, HasRoomWhereAProgramBegins) {
  EXPECT_FALSE(IsStackNearlyFull());
}

TEST(CallStackTest, IsFullBeforeTheStackEndsWhateverItsSize) {
  for (const std::size_t size : {kMiB / 2, kMiB, 16 * kMiB}) {
    const std::size_t depth = DeepestCallOn(size);
    EXPECT_GT(depth, 0U);
    EXPECT_LT(depth * 1024, size);
  }
}

TEST(CallStackTest, AllowsDeeperCallsOnALargerStack) {
  EXPECT_GT(DeepestCallOn(16 * kMiB), 8 * DeepestCallOn(kMiB));
}

}  // namespace
}  // namespace orrery
