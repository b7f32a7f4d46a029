#include "orrery/modelica/text_edits/line_edits.h"

#include <algorithm>

namespace orrery::modelica::internal {
namespace {

Point Sum(const Point& a, const Point& b) {
  return {.x = a.x + b.x, .y = a.y + b.y};
}

// Moves the first point; its neighbour follows across their segment, with a
// bend behind it if the next segment goes on in the same direction.
void MoveFirst(std::vector<Point>& points, const Point& by) {
  const Point old = points[0];
  const Point second = points[1];
  points[0] = Sum(old, by);
  const bool is_horizontal = old.y == second.y;
  const bool is_vertical = !is_horizontal && old.x == second.x;
  const Point across = {.x = is_vertical ? by.x : 0,
                        .y = is_horizontal ? by.y : 0};
  if (across == Point()) {
    return;
  }
  if (points.size() == 2) {
    const Point first = points[0];
    const Point middle = {.x = (first.x + second.x) / 2,
                          .y = (first.y + second.y) / 2};
    const Point near = is_horizontal ? Point{.x = middle.x, .y = first.y}
                                     : Point{.x = first.x, .y = middle.y};
    const Point far = is_horizontal ? Point{.x = middle.x, .y = second.y}
                                    : Point{.x = second.x, .y = middle.y};
    points = {first, near, far, second};
    return;
  }
  const bool goes_on =
      is_horizontal ? points[2].y == second.y : points[2].x == second.x;
  points[1] = Sum(second, across);
  if (goes_on) {
    points.insert(points.begin() + 2, second);
  }
}

// Two equal points are one. What is left of the bend of a straight line goes,
// too.
void RemoveEqual(std::vector<Point>& points) {
  const std::size_t size = points.size();
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const bool is_bend = points.size() < size && points.size() == 3 &&
                       points[1] == Point{.x = (points[0].x + points[2].x) / 2,
                                          .y = (points[0].y + points[2].y) / 2};
  if (is_bend) {
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
  RemoveEqual(points);
  if (last) {
    std::ranges::reverse(points);
  }
  return points;
}

}  // namespace orrery::modelica::internal
