#pragma once

#include <vector>

#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/figures/layout.h"

namespace orrery::plot::internal {

/// The outline of a bar whose end is unknown: with a torn right edge.
[[nodiscard]] std::vector<Point> TornOutline(const Rectangle& box);

/// The outline of a moment: a diamond as high as `box` around its left edge.
[[nodiscard]] std::vector<Point> Diamond(const Rectangle& box);

/// Stripes across a box, upwards to the right.
[[nodiscard]] Stroke Stripes(const Rectangle& box, const Color& color);

/// @param down the shift, in pixels.
[[nodiscard]] Drawing Shifted(Drawing drawing, double down);

}  // namespace orrery::plot::internal
