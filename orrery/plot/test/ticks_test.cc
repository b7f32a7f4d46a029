#include "orrery/plot/axes/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/plot/axes/log_axes.h"

namespace orrery::plot::internal {
namespace {

using testing::ElementsAre;

Range RangeOf(const std::vector<double>& values) {
  RangeFinder finder;
  for (const double value : values) {
    finder.Add(value);
  }
  return finder.Find();
}

TEST(TicksTest, StandOnRoundNumbers) {
  const Ticks ticks = MakeTicks({0, 10}, 6);
  EXPECT_THAT(ticks.values, ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(ticks.labels, ElementsAre("0", "2", "4", "6", "8", "10"));
}

TEST(TicksTest, HaveTheDecimalsOfTheirStep) {
  EXPECT_THAT(MakeTicks({-0.5, 1.02}, 4).labels,
              ElementsAre("-0.5", "0", "0.5", "1.0"));
  EXPECT_THAT(MakeTicks({1900, 1920}, 5).labels,
              ElementsAre("1900", "1905", "1910", "1915", "1920"));
}

TEST(TicksTest, KeepTheirLabelsExactFarFromZero) {
  EXPECT_THAT(
      MakeTicks({1000.00001, 1000.00004}, 4).labels,
      ElementsAre("1000.00001", "1000.00002", "1000.00003", "1000.00004"));
}

TEST(TicksTest, ShareAPowerOfAThousandWhenLarge) {
  const Ticks ticks = MakeTicks({0, 3e7}, 4);
  EXPECT_EQ(ticks.exponent, 6);
  EXPECT_THAT(ticks.labels, ElementsAre("0", "10", "20", "30"));
  EXPECT_THAT(ticks.values, ElementsAre(0, 1e7, 2e7, 3e7));
}

TEST(TicksTest, ShareAPowerOfAThousandWhenSmall) {
  const Ticks ticks = MakeTicks({0, 5e-10}, 3);
  EXPECT_EQ(ticks.exponent, -12);
  EXPECT_THAT(ticks.labels, ElementsAre("0", "200", "400"));
}

const Axis kLog{.label = "f", .is_logarithmic = true};

TEST(TicksTest, ArePowersOfTenOnALogarithmicAxis) {
  const Ticks ticks = TicksOf(kLog, {-2, 3}, 6);
  EXPECT_THAT(ticks.values, ElementsAre(-2, -1, 0, 1, 2, 3));
  EXPECT_THAT(ticks.labels,
              ElementsAre("0.01", "0.1", "1", "10", "100", "1000"));
  EXPECT_THAT(TicksOf(kLog, {-9.5, 9.5}, 5).labels,
              ElementsAre("1e-8", "0.0001", "1", "10000", "1e8"));
}

TEST(TicksTest, StandAtTwoAndFiveToo) {
  const Ticks ticks = TicksOf(kLog, {-1.5, 0.5}, 12);
  EXPECT_THAT(ticks.labels, ElementsAre("0.05", "0.1", "0.2", "0.5", "1", "2"));
  EXPECT_DOUBLE_EQ(ticks.values[0], std::log10(0.05));
}

TEST(TicksTest, AreRoundNumbersOnALogarithmicAxisOfLessThanADecade) {
  const Ticks ticks = TicksOf(kLog, {std::log10(2.0), std::log10(7.0)}, 6);
  EXPECT_THAT(ticks.labels, ElementsAre("2", "3", "4", "5", "6", "7"));
  EXPECT_DOUBLE_EQ(ticks.values[2], std::log10(4.0));
}

TEST(TicksTest, CoverTheLongestRangeThereIs) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const Ticks ticks = MakeTicks({-kMost, kMost}, 5);
  EXPECT_THAT(ticks.labels, ElementsAre("-100", "0", "100"));
  EXPECT_EQ(ticks.exponent, 306);
}

RC_GTEST_PROP(TicksTest,
              AreFewAscendingAndTheValuesOfTheirLabels,
              (double a, double b)) {
  const double scale = std::pow(10.0, *rc::gen::inRange(-200, 200));
  const int most = *rc::gen::inRange(2, 15);
  const Range range = RangeOf({a * scale, b * scale});
  RC_ASSERT(range.low < range.high);
  const Ticks ticks = MakeTicks(range, most);
  RC_ASSERT(!ticks.values.empty());
  RC_ASSERT(ticks.values.size() <= static_cast<std::size_t>(most));
  RC_ASSERT(ticks.labels.size() == ticks.values.size());
  RC_ASSERT(std::ranges::is_sorted(ticks.values));
  RC_ASSERT(std::ranges::adjacent_find(ticks.labels) == ticks.labels.end());
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    RC_ASSERT(ticks.values[i] >= range.low);
    RC_ASSERT(ticks.values[i] <= range.high);
    const std::string number =
        ticks.labels[i] + "e" + std::to_string(ticks.exponent);
    RC_ASSERT(std::abs(std::strtod(number.c_str(), nullptr) -
                       ticks.values[i]) <= 1e-5 * (range.high - range.low));
  }
}

TEST(RangeTest, SpansTheFiniteValues) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Range range = RangeOf({3, std::nan(""), -2, kInf, -kInf});
  EXPECT_EQ(range.low, -2);
  EXPECT_EQ(range.high, 3);
}

TEST(RangeTest, GivesAConstantRoomOnBothSides) {
  const Range range = RangeOf({5, 5 * (1 + 1e-15)});
  EXPECT_DOUBLE_EQ(range.low, 4.5);
  EXPECT_DOUBLE_EQ(range.high, 5.5);
  EXPECT_EQ(RangeOf({0}).low, -1);
  EXPECT_EQ(RangeOf({0}).high, 1);
}

TEST(RangeTest, IsFromZeroToOneWithoutValues) {
  EXPECT_EQ(RangeOf({}).low, 0);
  EXPECT_EQ(RangeOf({}).high, 1);
}

TEST(RangeTest, RoundsOutwardsToTicks) {
  const Range range = RoundedToTicks({3.9, 77.4}, 6);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 80);
}

TEST(RangeTest, MeasuresFractionsWithoutOverflow) {
  EXPECT_EQ(Fraction({-1e308, 1e308}, 0), 0.5);
  EXPECT_EQ(Fraction({-1e308, 1e308}, 1e308), 1);
}

}  // namespace
}  // namespace orrery::plot::internal
