#include "orrery/modelica/text_edits/line_edits.h"

#include <algorithm>

namespace orrery::modelica::internal {
namespace {

Point Sum(const Point& a, const Point& b) {
  return {.x = a.x + b.x, .y = a.y + b.y};
}

Point Middle(const Point& a, const Point& b) {
  return {.x = (a.x + b.x) / 2, .y = (a.y + b.y) / 2};
}

// True if the segment of the first two points is horizontal. One without a
// length is as its neighbour is not.
bool IsHorizontal(const std::vector<Point>& points) {
  if (points[0] == points[1] && points.size() > 2) {
    return points[2].y != points[1].y;
  }
  return points[0].y == points[1].y;
}

// Moves the first point; its neighbour follows across their segment, with a
// bend behind it if the next segment goes on in the same direction.
void MoveFirst(std::vector<Point>& points, const Point& by) {
  const Point old = points[0];
  const Point second = points[1];
  const bool is_horizontal = IsHorizontal(points);
  const bool is_vertical = !is_horizontal && old.x == second.x;
  points[0] = Sum(old, by);
  const Point across = {.x = is_vertical ? by.x : 0,
                        .y = is_horizontal ? by.y : 0};
  if (across == Point()) {
    return;
  }
  if (points.size() == 2) {
    const Point first = points[0];
    // The old middle is found again when the end comes back.
    const Point middle = Middle(old, second);
    const Point near = is_horizontal ? Point{.x = middle.x, .y = first.y}
                                     : Point{.x = first.x, .y = middle.y};
    const Point far = is_horizontal ? Point{.x = middle.x, .y = second.y}
                                    : Point{.x = second.x, .y = middle.y};
    points = {first, near, far, second};
    return;
  }
  const bool goes_on =
      points[2] != second &&
      (is_horizontal ? points[2].y == second.y : points[2].x == second.x);
  points[1] = Sum(second, across);
  if (goes_on) {
    points.insert(points.begin() + 2, second);
  }
}

// Removes a bend without a height, of which two equal points are left; of that
// of a straight line, both.
void RemoveFlatBend(std::vector<Point>& points) {
  if (points.size() < 4 || points[1] != points[2] || points[0] == points[1]) {
    return;
  }
  points.erase(points.begin() + 2);
  if (points.size() == 3 && points[1] == Middle(points[0], points[2])) {
    points.erase(points.begin() + 1);
  }
}

}  // namespace

std::vector<Point> Moved(std::vector<Point> points,
                         const Point& by,
                         bool first,
                         bool last) {
  if (first && last) {
    for (Point& point : points) {
      point = Sum(point, by);
    }
    return points;
  }
  if (points.size() < 2 || (!first && !last)) {
    return points;
  }
  if (last) {
    std::ranges::reverse(points);
  }
  MoveFirst(points, by);
  RemoveFlatBend(points);
  if (last) {
    std::ranges::reverse(points);
  }
  return points;
}

}  // namespace orrery::modelica::internal
