#pragma once

#include <span>

#include "orrery/solver/steps/dense_output.h"
#include "orrery/symbolic/tape/interval.h"

namespace orrery::sim::internal {

/// Bounds of sum_k c[k] * theta^k, and of its rate in theta, for |theta -
/// middle| <= radius. `c`, of at least 2 terms, is scratch.
[[nodiscard]] Bounds BoundPolynomial(std::span<double> c,
                                     double middle,
                                     double radius) noexcept;

/// Converts the coefficients c[k] of sum_k c[k] * theta^k to Bernstein's basis
/// over begin <= theta <= end. The polynomial stays between the least and the
/// greatest of them there, and has at most as many zeros as their sequence has
/// changes of sign. The first and the last are its values at the ends. Source:
/// Farouki (2012), The Bernstein polynomial basis: a centennial retrospective,
/// Computer Aided Geometric Design 29, 379-419.
void ToBernstein(std::span<double> c, double begin, double end) noexcept;

/// Bounds of polynomial `state`, and of its rate in time, over [begin, end].
[[nodiscard]] Bounds BoundState(const DenseOutput& dense,
                                int state,
                                double begin,
                                double end) noexcept;

}  // namespace orrery::sim::internal
