#include "orrery/sim/types/curve.h"

#include "orrery/sim/types/polynomial_bounds.h"

namespace orrery::sim::internal {

Bounds Curve::Over(double begin, double end) const noexcept {
  if (is_constant()) {
    return {.value = Interval::Point(c_[0]), .slope = Interval::Point(0)};
  }
  std::array<double, kMaxTerms> c = c_;
  return BoundPolynomial(std::span(c).first(terms_),
                         begin - begin_ + (end - begin) / 2,
                         (end - begin) / 2);
}

}  // namespace orrery::sim::internal
