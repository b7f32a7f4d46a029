#include "orrery/plot/drawing/simplify.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::plot::internal {
namespace {

using testing::ElementsAre;

// From `p` to the segment from `a` to `b`.
double Distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  double s = square == 0 ? 0 : ((p.x - a.x) * dx + (p.y - a.y) * dy) / square;
  s = std::clamp(s, 0.0, 1.0);
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

// From `p` to the nearest place of `line`.
double Distance(const Point& p, const std::vector<Point>& line) {
  double nearest = Distance(p, line.front(), line.front());
  for (std::size_t i = 1; i < line.size(); ++i) {
    nearest = std::min(nearest, Distance(p, line[i - 1], line[i]));
  }
  return nearest;
}

TEST(SimplifyTest, KeepsTheCornersOfAPolygonalLine) {
  std::vector<Point> line;
  for (int i = 0; i <= 20; ++i) {
    line.push_back({1.0 * i, std::abs(10.0 - i)});
  }
  EXPECT_THAT(Simplify(line, 0.1),
              ElementsAre(Point{0, 10}, Point{10, 0}, Point{20, 10}));
}

TEST(SimplifyTest, KeepsASpikeOfOneAmongAMillion) {
  std::vector<Point> line;
  for (int i = 0; i < 1'000'000; ++i) {
    line.push_back({i * 1e-3, i == 123'456 ? 50.0 : 0.0});
  }
  const std::vector<Point> simple = Simplify(line, 0.1);
  EXPECT_LT(simple.size(), 10U);
  EXPECT_EQ(std::ranges::max(simple, {}, &Point::y).y, 50);
}

TEST(SimplifyTest, BoundsTheSizeOfNoiseByTheWidth) {
  std::vector<Point> line;
  unsigned state = 1;
  for (int i = 0; i < 200'000; ++i) {
    state = state * 1'664'525U + 1'013'904'223U;
    line.push_back({i * 5e-4, (state >> 8) * 1e-5});
  }
  EXPECT_LE(Simplify(line, 0.1).size(), 4U * 1001U);
}

TEST(SimplifyTest, KeepsTheTipOfALineThatTurnsBack) {
  EXPECT_THAT(
      Simplify(std::vector<Point>{{0, 0}, {10, 0}, {5, 0}, {4, 0}}, 0.1),
      ElementsAre(Point{0, 0}, Point{10, 0}, Point{4, 0}));
}

RC_GTEST_PROP(SimplifyTest,
              LeavesEveryPointWithinTheToleranceOfTheLine,
              (const std::vector<std::pair<int, int>>& steps)) {
  std::vector<Point> line = {{0, 0}};
  for (const auto& [dx, dy] : steps) {
    line.push_back(
        {line.back().x + dx % 7 * 0.3, line.back().y + dy % 7 * 0.1});
  }
  // Thinning columns and following cones may each take one tolerance.
  const double bound = std::ranges::is_sorted(line, {}, &Point::x) ? 0.4 : 0.2;
  const std::vector<Point> simple = Simplify(line, 0.2);
  RC_ASSERT(simple.front() == line.front());
  RC_ASSERT(simple.back() == line.back());
  RC_ASSERT(simple.size() <= line.size());
  for (const Point& point : line) {
    RC_ASSERT(Distance(point, simple) <= bound + 1e-9);
  }
}

}  // namespace
}  // namespace orrery::plot::internal
