#include "orrery/experiment/runs/runs_at_once.h"

#include <chrono>

#include <gtest/gtest.h>

namespace orrery::experiment::internal {
namespace {

using std::chrono::milliseconds;

TEST(RunsAtOnceTest, AreAsManyAsTakeHalfOfTheDelay) {
  RunsAtOnce at_once(milliseconds(100));
  EXPECT_EQ(at_once.count(), 1);
  for (int i = 0; i < 20; ++i) {
    at_once.Took(milliseconds(2 * at_once.count()), 1);
  }
  EXPECT_EQ(at_once.count(), 16);
}

TEST(RunsAtOnceTest, AreNoFewerThanAreCarriedOutSideBySide) {
  RunsAtOnce at_once(milliseconds(100));
  at_once.Took(milliseconds(300), 8);
  EXPECT_EQ(at_once.count(), 8);
  at_once.Took(milliseconds(900), 8);
  EXPECT_EQ(at_once.count(), 8);
}

TEST(RunsAtOnceTest, AreFewerAgainWhenRunsTakeLonger) {
  RunsAtOnce at_once(milliseconds(100));
  at_once.Took(milliseconds(1), 1);
  at_once.Took(milliseconds(2), 1);
  EXPECT_EQ(at_once.count(), 4);
  at_once.Took(milliseconds(51), 1);
  EXPECT_EQ(at_once.count(), 2);
}

}  // namespace
}  // namespace orrery::experiment::internal
