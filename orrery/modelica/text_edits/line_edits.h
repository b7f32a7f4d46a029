#pragma once

#include <vector>

#include "orrery/modelica/scene/graphics.h"

namespace orrery::modelica::internal {

/// The points of a line whose first end, last end or both have moved by `by`.
/// Both: all of it moves. One: its segment beside that end stretches and stays
/// horizontal or vertical, if it was; a straight line gets a bend where it
/// needs one, and loses it when the end comes back.
[[nodiscard]] std::vector<Point> Moved(std::vector<Point> points,
                                       const Point& by,
                                       bool first,
                                       bool last);

}  // namespace orrery::modelica::internal
