#pragma once

#include <span>

#include "orrery/solver/dense_output.h"
#include "orrery/symbolic/interval.h"

namespace orrery::internal {

/// What sum_k c[k] * theta^k is, and its rate in theta, for
/// |theta - middle| <= radius. `c`, of at least 2 terms, is scratch for it.
[[nodiscard]] Bounds BoundPolynomial(std::span<double> c,
                                     double middle,
                                     double radius) noexcept;

/// What polynomial `state` is, and its rate in time, over [begin, end].
[[nodiscard]] Bounds BoundState(const DenseOutput& dense,
                                int state,
                                double begin,
                                double end) noexcept;

}  // namespace orrery::internal
