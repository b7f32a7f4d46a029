#include "orrery/plot/axes/time_ticks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::plot::internal {
namespace {

using testing::ElementsAre;

constexpr double kHour = 3600;
constexpr double kDay = 86400;

TEST(TimeTicksTest, CountSecondsUpToTenMinutes) {
  const TimeTicks ticks = MakeTimeTicks({0, 600}, 8);
  EXPECT_THAT(ticks.labels,
              ElementsAre("0", "100", "200", "300", "400", "500", "600"));
  EXPECT_EQ(ticks.unit, "s");
}

TEST(TimeTicksTest, CountMilliAndMicroseconds) {
  const TimeTicks milli = MakeTimeTicks({0, 5e-4}, 3);
  EXPECT_THAT(milli.labels, ElementsAre("0", "200", "400"));
  EXPECT_EQ(milli.unit, "\u00B5s");
  EXPECT_NEAR(milli.values[2], 4e-4, 1e-18);
}

TEST(TimeTicksTest, ReadAsMinutesBelowAnHour) {
  const TimeTicks ticks = MakeTimeTicks({0, 1800}, 8);
  EXPECT_THAT(
      ticks.labels,
      ElementsAre("0:00", "5:00", "10:00", "15:00", "20:00", "25:00", "30:00"));
  EXPECT_EQ(ticks.unit, "min:s");
}

TEST(TimeTicksTest, ReadAsHoursBelowTwoDays) {
  const TimeTicks ticks = MakeTimeTicks({0, kDay}, 8);
  EXPECT_THAT(ticks.labels,
              ElementsAre("0:00", "6:00", "12:00", "18:00", "24:00"));
  EXPECT_THAT(ticks.values, ElementsAre(0, 21600, 43200, 64800, 86400));
  EXPECT_EQ(ticks.unit, "h:min");
}

TEST(TimeTicksTest, ShowSecondsWhereTheStepHasThem) {
  const TimeTicks ticks = MakeTimeTicks({2 * kHour, 2 * kHour + 60}, 3);
  EXPECT_THAT(ticks.labels, ElementsAre("2:00:00", "2:00:30", "2:01:00"));
  EXPECT_EQ(ticks.unit, "h:min:s");
}

TEST(TimeTicksTest, ShowTheDayBeyondTwoDays) {
  const TimeTicks ticks = MakeTimeTicks({2 * kDay, 3 * kDay}, 5);
  EXPECT_THAT(ticks.labels,
              ElementsAre("2d", "2d 6:00", "2d 12:00", "2d 18:00", "3d"));
  EXPECT_EQ(ticks.unit, "d h:min");
}

TEST(TimeTicksTest, CountDays) {
  const TimeTicks ticks = MakeTimeTicks({0, 100 * kDay}, 6);
  EXPECT_THAT(ticks.labels, ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_EQ(ticks.unit, "d");
}

TEST(TimeTicksTest, ReadBackwardsBeforeZero) {
  EXPECT_THAT(MakeTimeTicks({-kHour, kHour}, 5).labels,
              ElementsAre("-1:00", "-0:30", "0:00", "0:30", "1:00"));
}

RC_GTEST_PROP(TimeTicksTest, AreFewAscendingAndInTheirRange, ()) {
  const double length = std::pow(10.0, *rc::gen::inRange(-90, 150) / 10.0);
  const double low = length * *rc::gen::inRange(-1000, 1000) / 7;
  const Range range = {low, low + length};
  const int most = *rc::gen::inRange(2, 15);
  const TimeTicks ticks = MakeTimeTicks(range, most);
  RC_ASSERT(!ticks.values.empty());
  RC_ASSERT(ticks.values.size() <= static_cast<std::size_t>(most));
  RC_ASSERT(ticks.labels.size() == ticks.values.size());
  RC_ASSERT(std::ranges::is_sorted(ticks.values));
  RC_ASSERT(ticks.values.front() >= range.low);
  RC_ASSERT(ticks.values.back() <= range.high);
  RC_ASSERT(std::ranges::adjacent_find(ticks.labels) == ticks.labels.end());
}

TEST(TimeTextTest, SaysTimesAsTheyAreRead) {
  EXPECT_EQ(TimeText(12.5), "12.5 s");
  EXPECT_EQ(TimeText(630), "10:30 min");
  EXPECT_EQ(TimeText(14 * kHour + 330), "14:05:30 h");
  EXPECT_EQ(TimeText(2.25 * kDay), "2 d 6:00:00 h");
  EXPECT_EQ(TimeText(-2 * kHour), "-2:00:00 h");
}

}  // namespace
}  // namespace orrery::plot::internal
