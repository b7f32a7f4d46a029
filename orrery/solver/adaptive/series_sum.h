#pragma once

#include <span>

namespace orrery::internal {

/// The most terms of a series.
inline constexpr int kMostTerms = 30;

/// Sums of power series of several quantities, each in two parts from its last
/// term on. The slopes take no products: sum_k k c_k theta^k is the sum of what
/// there is of the other sum after each term. Machine code of steps has the
/// same bits.
///
/// @param coefficients c_1 of all quantities, then c_2, and so on: two to
///     kMostTerms of each.
/// @param sums gets sum_k c_k theta^k, one a quantity,
/// @param slopes and sum_k k c_k theta^k.
void SumSeries(std::span<const double> coefficients,
               double theta,
               std::span<double> sums,
               std::span<double> slopes) noexcept;

}  // namespace orrery::internal
