#pragma once

#include <vector>

#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/figures/layout.h"

namespace orrery::internal {

/// The outline of a bar whose end is not known: its right edge is torn.
[[nodiscard]] std::vector<Point> TornOutline(const Rectangle& box);

/// A moment: a diamond as high as `box` around its left edge.
[[nodiscard]] std::vector<Point> Diamond(const Rectangle& box);

/// Stripes across a box, upwards to the right.
[[nodiscard]] Stroke Stripes(const Rectangle& box, const Color& color);

/// @param down by how much.
[[nodiscard]] Drawing Shifted(Drawing drawing, double down);

}  // namespace orrery::internal
