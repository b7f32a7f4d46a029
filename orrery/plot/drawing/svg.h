#pragma once

#include <string>

#include "orrery/plot/drawing/drawing.h"

namespace orrery::plot::internal {

/// The drawing as an SVG document.
[[nodiscard]] std::string ToSvg(const Drawing& drawing);

}  // namespace orrery::plot::internal
