#include "orrery/sdk/runs/bars_to_draw.h"

#include <limits>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

using testing::ElementsAre;

TEST(RowOfSpanTest, PartsOfAnActivityShareARowAndSoDoTasksOfOneName) {
  EXPECT_EQ(RowOfSpan(std::nullopt, true, "Drive"), std::nullopt);
  EXPECT_EQ(RowOfSpan(3, false, "Turn"), 3);
  EXPECT_EQ(RowOfSpan(3, true, "Drive"), 3);
  const auto watch = RowOfSpan(std::nullopt, false, "Watch");
  EXPECT_EQ(RowOfSpan(std::nullopt, false, "Watch"), watch);
  EXPECT_NE(RowOfSpan(std::nullopt, false, "Heat"), watch);
  ASSERT_TRUE(watch);
  EXPECT_LT(*watch, 0);
}

TEST(BarsToDrawTest, NarrowBarsOfAColumnAreOne) {
  const std::vector<TimedBar> bars = {{.begin = 0, .end = 0.1, .row = 1},
                                      {.begin = 0.2, .end = 0.3, .row = 1},
                                      {.begin = 0.2, .end = 0.3, .row = 2},
                                      {.begin = 0.5, .end = 7, .row = 1},
                                      {.begin = 1.1, .end = 1.2, .row = 1}};
  const DrawnRange range{.from = 0, .to = 10, .pixels = 10};
  EXPECT_THAT(BarsToDraw(bars, range), ElementsAre(0, 2, 3, 4));
}

TEST(BarsToDrawTest, BarsWithARowOfTheirOwnAllStay) {
  const std::vector<TimedBar> bars(1000, {.begin = 1, .end = 1, .row = {}});
  EXPECT_EQ(BarsToDraw(bars, {.from = 0, .to = 10, .pixels = 10}).size(),
            1000U);
}

TEST(BarsToDrawTest, BarsOutsideAreLeftOutAndOpenOnesStay) {
  const std::vector<TimedBar> bars = {
      {.begin = 0, .end = 1, .row = 1},
      {.begin = 3, .end = std::numeric_limits<double>::infinity(), .row = 1},
      {.begin = 9, .end = 10, .row = 1}};
  EXPECT_THAT(BarsToDraw(bars, {.from = 4, .to = 8, .pixels = 100}),
              ElementsAre(1));
}

TEST(BarsToDrawTest, QuarterOfAMillionBarsGiveAsManyAsThereArePixels) {
  std::vector<TimedBar> bars;
  for (int i = 0; i < 250'000; ++i) {
    bars.push_back({.begin = i * 0.01, .end = i * 0.01 + 0.005, .row = 0});
  }
  EXPECT_EQ(BarsToDraw(bars, {.from = 0, .to = 2500, .pixels = 1000}).size(),
            1000U);
  EXPECT_EQ(BarsToDraw(bars, {.from = 10, .to = 11, .pixels = 1000}).size(),
            101U);
}

TEST(BarsToDrawTest, EmptyRangeIsRefused) {
  const std::vector<TimedBar> bars;
  EXPECT_THROW(static_cast<void>(BarsToDraw(bars, {.from = 1, .to = 1})),
               Error);
  EXPECT_THROW(
      static_cast<void>(BarsToDraw(bars, {.from = 0, .to = 1, .pixels = 0})),
      Error);
}

}  // namespace
}  // namespace orrery
