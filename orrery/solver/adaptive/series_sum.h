#pragma once

#include <span>

namespace orrery::solver::internal {

/// The most terms of a series.
inline constexpr int kMostTerms = 30;

/// Sums power series of several quantities, each in two parts from its last
/// term on. The slopes need no products: sum_k k c_k theta^k is the sum of all
/// partial sums of the other series. Machine code of steps has the same bits.
///
/// @param coefficients c_1 of all quantities, then c_2, and so on: two to
///     kMostTerms of each.
/// @param sums gets sum_k c_k theta^k for each quantity.
/// @param slopes gets sum_k k c_k theta^k for each quantity.
void SumSeries(std::span<const double> coefficients,
               double theta,
               std::span<double> sums,
               std::span<double> slopes) noexcept;

}  // namespace orrery::solver::internal
