#pragma once

#include <span>

namespace orrery::internal {

/// Sums of power series of several quantities by Horner's scheme, fused: each
/// coefficient is added to what is there times theta with one rounding. Machine
/// code of steps has the same bits.
///
/// @param coefficients c_1 of all quantities, then c_2, and so on.
/// @param sums gets sum_k c_k theta^(k - 1), one a quantity,
/// @param slopes and sum_k k c_k theta^(k - 1).
void SumSeries(std::span<const double> coefficients,
               double theta,
               std::span<double> sums,
               std::span<double> slopes) noexcept;

}  // namespace orrery::internal
