#pragma once

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/figure.h"

namespace orrery::internal {

/// The figure as it is drawn: on logarithmic axes, the powers of ten of its
/// values; what is not above zero has none, and leaves a gap.
[[nodiscard]] Figure OnAxes(Figure figure);

/// The ticks of an axis of such a figure, for a range of it. On a logarithmic
/// one these are powers of ten, with 2 and 5 times them where there is room;
/// round numbers where there are less than two.
[[nodiscard]] Ticks TicksOf(const Axis& axis, Range range, int most);

/// As RoundedToTicks; to powers of ten on a logarithmic axis.
[[nodiscard]] Range RoundedOn(const Axis& axis, Range range, int most);

}  // namespace orrery::internal
