#include "orrery/solver/internal/power.h"

#include <sleef.h>

namespace orrery::internal {

double Power(double base, double exponent) noexcept {
  return Sleef_cinz_powd1_u10purec(base, exponent);
}

}  // namespace orrery::internal
