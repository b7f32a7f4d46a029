#include "orrery/sim/internal/time_grid.h"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::internal {
namespace {

using testing::ElementsAre;

std::vector<double> TimesOf(TimeGrid grid) {
  std::vector<double> times;
  while (grid.next() < std::numeric_limits<double>::infinity()) {
    times.push_back(grid.next());
    grid.SkipTo(grid.next());
  }
  return times;
}

TEST(TimeGridTest, TimesAreMultiplesNotSums) {
  const auto times = TimesOf(TimeGrid(0, 1000, 0.1, {}));
  ASSERT_EQ(times.size(), 10001);
  EXPECT_EQ(times[7777], 7777 * 0.1);
  EXPECT_EQ(times.back(), 1000);
}

TEST(TimeGridTest, FurtherTimesAreMergedOnce) {
  EXPECT_THAT(TimesOf(TimeGrid(1, 2, 0.5, {1.7, 1.2, 1.5, 1.2, 0.5, 3})),
              ElementsAre(0.5, 1, 1.2, 1.5, 1.7, 2));
}

TEST(TimeGridTest, WhatIsLaterByRoundingOnlyIsSkippedToo) {
  TimeGrid grid(0, 1, 0.1, {});
  grid.SkipTo(0.3);  // 3 * 0.1 is one bit more.
  EXPECT_EQ(grid.next(), 0.4);
}

TEST(TimeGridTest, FarSkipCostsNoWalk) {
  TimeGrid grid(0, 1e9, 1e-3, {});
  grid.SkipTo(5e8);
  EXPECT_NEAR(grid.next(), 5e8 + 1e-3, 1e-6);
}

TEST(TimeGridTest, WithoutIntervalThereAreTheGivenTimesOnly) {
  EXPECT_THAT(TimesOf(TimeGrid(0, 1, 0, {0.25})), ElementsAre(0.25));
}

}  // namespace
}  // namespace orrery::internal
