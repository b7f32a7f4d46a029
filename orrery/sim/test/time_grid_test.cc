#include "orrery/sim/types/time_grid.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::sim::internal {
namespace {

using testing::ElementsAre;

std::vector<double> TimesUntil(double stop, TimeGrid grid) {
  std::vector<double> times;
  while (grid.next() <= stop) {
    times.push_back(grid.next());
    grid.SkipTo(grid.next());
  }
  return times;
}

TEST(TimeGridTest, TimesAreMultiplesNotSums) {
  const auto times = TimesUntil(1000, TimeGrid(0, 0.1, {}));
  ASSERT_EQ(times.size(), 10001);
  EXPECT_EQ(times[7777], 777.7);
  EXPECT_EQ(times.back(), 1000);
}

TEST(TimeGridTest, FurtherTimesAreMergedOnce) {
  EXPECT_THAT(TimesUntil(2, TimeGrid(1, 0.5, {1.7, 1.2, 1.5, 1.2, 0.5, 3})),
              ElementsAre(0.5, 1, 1.2, 1.5, 1.7, 2));
}

TEST(TimeGridTest, WhatIsLaterByRoundingOnlyIsSkippedToo) {
  TimeGrid grid(0, 0.1, {});
  grid.SkipTo(std::nextafter(0.3, 0.0));
  EXPECT_EQ(grid.next(), 0.4);
}

TEST(TimeGridTest, TimesAreTheDecimalNumbersThatPeopleExpect) {
  EXPECT_THAT(TimesUntil(0.7, TimeGrid(0, 0.1, {})),
              ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7));
  EXPECT_THAT(TimesUntil(0.3, TimeGrid(-0.3, 0.15, {})),
              ElementsAre(-0.3, -0.15, 0, 0.15, 0.3));
}

TEST(TimeGridTest, TimesOfAnIntervalThatIsNoShortDecimalAreMultiples) {
  const auto times = TimesUntil(1, TimeGrid(0, 1.0 / 7, {}));
  ASSERT_EQ(times.size(), 8);
  EXPECT_EQ(times[3], 3 * (1.0 / 7));
}

TEST(TimeGridTest, GoesOnBeyondAnyStop) {
  TimeGrid grid(0, 0.5, {});
  grid.SkipTo(100);
  EXPECT_EQ(grid.next(), 100.5);
}

TEST(TimeGridTest, FarSkipCostsNoWalk) {
  TimeGrid grid(0, 1e-3, {});
  grid.SkipTo(5e8);
  EXPECT_NEAR(grid.next(), 5e8 + 1e-3, 1e-6);
}

TEST(TimeGridTest, WithoutIntervalThereAreTheGivenTimesOnly) {
  EXPECT_THAT(TimesUntil(1, TimeGrid(0, 0, {0.25})), ElementsAre(0.25));
}

}  // namespace
}  // namespace orrery::sim::internal
