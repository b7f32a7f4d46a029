#pragma once

#include <span>
#include <vector>

namespace orrery::plot::internal {

struct Point {
  double x = 0;
  double y = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

/// A polyline with fewer points that looks the same. If x never decreases, the
/// points in each interval of `tolerance` in x are first thinned to the first,
/// lowest, highest and last one. Then points are left out as long as the line
/// stays within `tolerance` of them. The first and last point are kept.
///
/// The second stage is the cone method of Williams (1978), "An efficient
/// algorithm for the piecewise linear approximation of planar curves", Computer
/// Graphics and Image Processing 8, 286-293: linear time.
///
/// @param tolerance in units of x and y (pixels), > 0.
[[nodiscard]] std::vector<Point> Simplify(std::span<const Point> line,
                                          double tolerance);

}  // namespace orrery::plot::internal
