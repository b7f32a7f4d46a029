#include "orrery/results/thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using Function = std::function<double(std::size_t)>;

std::vector<double> Grid(std::size_t rows) {
  std::vector<double> time(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    time[i] = static_cast<double>(i);
  }
  return time;
}

std::vector<std::size_t> RowsOf(const std::vector<double>& time,
                                const std::vector<double>& values,
                                const DrawnRange& range) {
  const std::vector<Function> signals = {[&](std::size_t row) {
    return values[row];
  }};
  return RowsToDraw(time, signals, range);
}

TEST(ThinningTest, KeepsFirstLeastGreatestAndLastOfEachPixel) {
  const std::vector<double> values = {0,
                                      5,
                                      9,
                                      2,
                                      -3,
                                      1,  // Pixel 0.
                                      4,
                                      4,
                                      8,
                                      7,
                                      6,
                                      5};
  EXPECT_THAT(RowsOf(Grid(12), values, {.from = 0, .to = 11.999, .pixels = 2}),
              ElementsAre(0, 2, 4, 5, 6, 8, 11));
}

TEST(ThinningTest, KeepsAllRowsWhereAPixelHasFew) {
  EXPECT_THAT(RowsOf(Grid(4), {1, 2, 3, 4}, {.from = 0, .to = 3, .pixels = 1}),
              ElementsAre(0, 1, 2, 3));
}

TEST(ThinningTest, LetsLinesGoOnToTheEdges) {
  EXPECT_THAT(RowsOf(Grid(10),
                     std::vector<double>(10),
                     {.from = 3.5, .to = 5.5, .pixels = 100}),
              ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(RowsOf(Grid(10),
                     std::vector<double>(10),
                     {.from = 3.2, .to = 3.8, .pixels = 100}),
              ElementsAre(3, 4));
}

TEST(ThinningTest, ShowsBothLimitsOfAnEvent) {
  // A ramp of a thousand rows that falls to -1 and jumps to 2 at row 500.
  std::vector<double> time = Grid(1000);
  std::vector<double> values(1000, 0.5);
  time[500] = time[499];
  values[499] = -1;
  values[500] = 2;
  const auto rows = RowsOf(time, values, {.from = 0, .to = 999, .pixels = 10});
  EXPECT_TRUE(std::ranges::binary_search(rows, 499U));
  EXPECT_TRUE(std::ranges::binary_search(rows, 500U));
}

TEST(ThinningTest, KeepsAGap) {
  std::vector<double> values(1000, 1);
  values[321] = std::numeric_limits<double>::quiet_NaN();
  const auto rows =
      RowsOf(Grid(1000), values, {.from = 0, .to = 999, .pixels = 4});
  EXPECT_TRUE(std::ranges::binary_search(rows, 321U));
}

TEST(ThinningTest, KeepsTheExtremesOfEachSignal) {
  const std::vector<double> time = Grid(100);
  const std::vector<Function> signals = {
      [](std::size_t row) { return row == 40 ? 7.0 : 0.0; },
      [](std::size_t row) {
        return row == 60 ? -7.0 : 0.0;
      }};
  const auto rows =
      RowsToDraw(time, signals, {.from = 0, .to = 99, .pixels = 1});
  EXPECT_THAT(rows, ElementsAre(0, 40, 60, 99));
}

TEST(ThinningTest, GivesNothingOfARunWithoutRows) {
  EXPECT_TRUE(RowsOf({}, {}, {.from = 0, .to = 1, .pixels = 10}).empty());
}

TEST(ThinningTest, TakesARangeAsLargeAsNumbersAre) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const std::vector<double> time = {-kMax, -1, -0.5, 0, 0.5, 1, kMax};
  EXPECT_THAT(RowsOf(time,
                     {0, 1, 2, 3, 4, 5, 6},
                     {.from = -kMax, .to = kMax, .pixels = 1}),
              ElementsAre(0, 6));
}

TEST(ThinningTest, RefusesRangesThatCannotBeDrawn) {
  const std::vector<double> time = Grid(3);
  const std::vector<double> values(3);
  EXPECT_THROW(RowsOf(time, values, {.from = 1, .to = 0, .pixels = 9}), Error);
  EXPECT_THROW(RowsOf(time, values, {.from = 0, .to = 1, .pixels = 0}), Error);
  EXPECT_THROW(RowsOf(time, values, {.from = 0, .to = std::nan("")}), Error);
}

TEST(ThinningTest, TakesTheSignalsOfARun) {
  TrajectoryBuilder builder({{.name = "x", .column = 0},
                             {.name = "minus", .column = 0, .negated = true}});
  for (int i = 0; i < 100; ++i) {
    const double value = i == 50 ? 3 : 0;
    builder.Append(i, {&value, 1});
  }
  const Trajectory run = builder.Take();
  const std::vector<Signal> signals = {run["minus"]};
  EXPECT_THAT(RowsToDraw(run, signals, {.from = 0, .to = 99, .pixels = 1}),
              ElementsAre(0, 50, 99));
}

// The laws of M4: in each column of pixels the chosen rows have the first, the
// least, the greatest and the last value of all rows, and no more than these
// are chosen.
RC_GTEST_PROP(ThinningTest,
              CoversThePixelsThatAllRowsCover,
              (std::vector<std::int8_t> values, std::uint8_t width)) {
  RC_PRE(values.size() > 1);
  const std::size_t pixels = width % 8U + 1;
  const std::vector<double> time = Grid(values.size());
  const std::vector<double> numbers(values.begin(), values.end());
  const DrawnRange range{.from = 0, .to = time.back(), .pixels = pixels};
  const std::vector<std::size_t> rows = RowsOf(time, numbers, range);
  RC_ASSERT(std::ranges::is_sorted(rows));
  RC_ASSERT(std::set<std::size_t>(rows.begin(), rows.end()).size() ==
            rows.size());
  RC_ASSERT(rows.size() <= std::max(values.size(), 4 * pixels));
  RC_ASSERT(rows.front() == 0 && rows.back() == values.size() - 1);

  const auto by_pixel = [&](const std::vector<std::size_t>& some) {
    std::map<std::size_t, std::vector<double>> columns;
    for (const std::size_t row : some) {
      const auto pixel = static_cast<std::size_t>(time[row] / time.back() *
                                                  static_cast<double>(pixels));
      columns[std::min(pixel, pixels - 1)].push_back(numbers[row]);
    }
    return columns;
  };
  std::vector<std::size_t> all(values.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
  }
  const auto full = by_pixel(all);
  const auto thin = by_pixel(rows);
  RC_ASSERT(full.size() == thin.size());
  for (const auto& [pixel, column] : full) {
    const std::vector<double>& chosen = thin.at(pixel);
    RC_ASSERT(chosen.front() == column.front());
    RC_ASSERT(chosen.back() == column.back());
    RC_ASSERT(std::ranges::min(chosen) == std::ranges::min(column));
    RC_ASSERT(std::ranges::max(chosen) == std::ranges::max(column));
  }
}

}  // namespace
}  // namespace orrery
