#include "orrery/modelica/text_edits/line_edits.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::modelica::internal {
namespace {

using Points = std::vector<Point>;

TEST(LineEditsTest, StretchesTheSegmentBesideTheEnd) {
  const Points line = {{.x = 0, .y = 0}, {.x = 0, .y = 10}, {.x = 8, .y = 10}};
  EXPECT_EQ(Moved(line, {.x = 3, .y = 4}, true, false),
            (Points{{.x = 3, .y = 4}, {.x = 3, .y = 10}, {.x = 8, .y = 10}}));
  EXPECT_EQ(Moved(line, {.x = 3, .y = 4}, false, true),
            (Points{{.x = 0, .y = 0}, {.x = 0, .y = 14}, {.x = 11, .y = 14}}));
}

TEST(LineEditsTest, BendsAStraightLineInItsMiddle) {
  EXPECT_EQ(Moved({{.x = 10, .y = 10}, {.x = 30, .y = 10}},
                  {.x = 0, .y = 20},
                  false,
                  true),
            (Points{{.x = 10, .y = 10},
                    {.x = 20, .y = 10},
                    {.x = 20, .y = 30},
                    {.x = 30, .y = 30}}));
}

TEST(LineEditsTest, LeavesASlantedLineSlanted) {
  EXPECT_EQ(
      Moved(
          {{.x = 0, .y = 0}, {.x = 5, .y = 5}}, {.x = 3, .y = 4}, true, false),
      (Points{{.x = 3, .y = 4}, {.x = 5, .y = 5}}));
}

RC_GTEST_PROP(LineEditsTest, AnEndComesBackToTheSameLine, ()) {
  Points line = {{.x = *rc::gen::inRange(-20, 20) * 2.0,
                  .y = *rc::gen::inRange(-20, 20) * 2.0}};
  bool is_horizontal = *rc::gen::arbitrary<bool>();
  const int segments = *rc::gen::inRange(1, 5);
  for (int i = 0; i < segments; ++i) {
    // Odd lengths and even moves: no end comes to lie on a corner.
    const double length = *rc::gen::inRange(-10, 10) * 2.0 + 1;
    Point next = line.back();
    (is_horizontal ? next.x : next.y) += length;
    line.push_back(next);
    is_horizontal = !is_horizontal;
  }
  const Point by = {.x = *rc::gen::inRange(-20, 20) * 2.0,
                    .y = *rc::gen::inRange(-20, 20) * 2.0};
  const bool first = *rc::gen::arbitrary<bool>();
  const Points there = Moved(line, by, first, !first);
  RC_ASSERT(Moved(there, {.x = -by.x, .y = -by.y}, first, !first) == line);
}

}  // namespace
}  // namespace orrery::modelica::internal
