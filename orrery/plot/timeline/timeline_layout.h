#pragma once

#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/timeline.h"

namespace orrery::plot::internal {

/// Places a valid timeline in a picture of the options' width, as high as
/// needed, up to `most_height` pixels: labels in a column at the left, times
/// below, and again on top of a long chart.
/// @throws Error kInvalidArgument if `most_height` leaves no room for a row.
[[nodiscard]] Drawing MakeTimelineDrawing(const Timeline& timeline,
                                          const ImageOptions& options,
                                          double most_height);

}  // namespace orrery::plot::internal
