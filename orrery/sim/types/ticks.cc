#include "orrery/sim/types/ticks.h"

#include <algorithm>

namespace orrery::sim::internal {

double TickFrom(double t) {
  const auto nearest = NearestDuration(t);
  if (!nearest) {
    return t;
  }
  const double tick = SecondsOf(*nearest);
  return tick >= t ? tick : std::max(t, SecondsOf(*nearest + Duration(1)));
}

}  // namespace orrery::sim::internal
