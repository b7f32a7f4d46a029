#include "orrery/plot/drawing/simplify.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::plot::internal {
namespace {

// Keeps, for each interval of `width` in x, the first, lowest, highest and last
// point.
std::vector<Point> ThinColumns(std::span<const Point> line, double width) {
  std::vector<Point> thinned;
  for (std::size_t begin = 0; begin < line.size();) {
    const double column = std::floor(line[begin].x / width);
    std::size_t end = begin + 1;
    while (end < line.size() && std::floor(line[end].x / width) == column) {
      ++end;
    }
    const auto stretch = line.subspan(begin, end - begin);
    const auto [low, high] =
        std::ranges::minmax_element(stretch, {}, &Point::y);
    const Point* const kept[] = {&stretch.front(),
                                 &*std::min(low, high),
                                 &*std::max(low, high),
                                 &stretch.back()};
    for (const Point* const point : kept) {
      if (thinned.empty() || thinned.back() != *point) {
        thinned.push_back(*point);
      }
    }
    begin = end;
  }
  return thinned;
}

// The directions in which a line from a point passes all later points within
// the tolerance. Angles are relative to the first of them.
class Cone {
 public:
  explicit Cone(double tolerance) : tolerance_(tolerance) {}

  // Returns true if a line from `apex` through `point` passes all points since,
  // and then narrows the cone to lines that pass `point` too.
  bool Admit(const Point& apex, const Point& point) {
    const double dx = point.x - apex.x;
    const double dy = point.y - apex.y;
    const double distance = std::hypot(dx, dy);
    if (distance <= tolerance_) {
      return distance >= farthest_;
    }
    const double angle = std::atan2(dy, dx);
    const double half = std::asin(tolerance_ / distance);
    if (!started_) {
      started_ = true;
      axis_ = angle;
      low_ = -half;
      high_ = half;
      farthest_ = distance;
      return true;
    }
    const double relative = std::remainder(angle - axis_, 2 * std::numbers::pi);
    // To turn back would cut off the tip.
    if (relative < low_ || relative > high_ || distance < farthest_) {
      return false;
    }
    low_ = std::max(low_, relative - half);
    high_ = std::min(high_, relative + half);
    farthest_ = distance;
    return true;
  }

 private:
  double tolerance_;
  bool started_ = false;
  double axis_ = 0;
  double low_ = 0;
  double high_ = 0;
  double farthest_ = 0;
};

std::vector<Point> FollowCones(std::span<const Point> line, double tolerance) {
  std::vector<Point> kept = {line.front()};
  Cone cone(tolerance);
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (!cone.Admit(kept.back(), line[i])) {
      kept.push_back(line[i - 1]);
      cone = Cone(tolerance);
      cone.Admit(kept.back(), line[i]);
    }
  }
  if (line.size() > 1) {
    kept.push_back(line.back());
  }
  return kept;
}

}  // namespace

std::vector<Point> Simplify(std::span<const Point> line, double tolerance) {
  if (line.size() < 3) {
    return {line.begin(), line.end()};
  }
  if (std::ranges::is_sorted(line, {}, &Point::x)) {
    return FollowCones(ThinColumns(line, tolerance), tolerance);
  }
  return FollowCones(line, tolerance);
}

}  // namespace orrery::plot::internal
