#pragma once

#include <string>

#include "orrery/plot/drawing/drawing.h"

namespace orrery::plot::internal {

/// The drawing as the bytes of a PNG file, each of its pixels `scale` pixels.
[[nodiscard]] std::string ToPng(const Drawing& drawing, double scale);

}  // namespace orrery::plot::internal
