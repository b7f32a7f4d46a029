#pragma once

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/figure.h"

namespace orrery::plot::internal {

/// The figure in the coordinates of its axes: logarithms to base 10 on
/// logarithmic axes. Values of zero or less leave a gap there.
[[nodiscard]] Figure OnAxes(Figure figure);

/// The ticks of an axis of such a figure, for a range of it. On a logarithmic
/// axis these are powers of ten, with 2 and 5 times them if there is room;
/// round numbers if there are fewer than two powers.
[[nodiscard]] Ticks TicksOf(const Axis& axis, Range range, int most);

/// Like RoundedToTicks; rounds to powers of ten on a logarithmic axis.
[[nodiscard]] Range RoundedOn(const Axis& axis, Range range, int most);

}  // namespace orrery::plot::internal
