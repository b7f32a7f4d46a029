#pragma once

#include <string>

#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/figures/layout.h"
#include "orrery/plot/timeline.h"

namespace orrery::plot::internal {

/// A span of a timeline in a picture.
struct DrawnSpan {
  Rectangle box;
  TimelineSpan::State state = TimelineSpan::State::kCompleted;
  bool is_whole = false;  ///< True if it has parts.
  std::string tooltip;
};

/// Draws a bar: with a torn end if it is open, striped and crossed if it
/// failed, hollow if it was cancelled.
/// @param right end of the picture's times: crosses do not pass it.
void DrawSpan(DrawnSpan span, double right, Drawing& drawing);

/// Draws a diamond, as high as the box, around its left edge.
void DrawMoment(DrawnSpan moment, Drawing& drawing);

}  // namespace orrery::plot::internal
