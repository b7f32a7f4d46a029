#pragma once

#include <span>

#include "orrery/experiment/statistics/distribution_law.h"

namespace orrery::experiment::internal {

// The laws of each family, from the arguments of its text, in order.

[[nodiscard]] SharedLaw MakeTriangular(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeGamma(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeBeta(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeWeibull(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakePoisson(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeBinomial(std::span<const double> arguments);

/// Mean and standard deviation of a standard normal variable, given that it is
/// between two ends.
struct NormalMoments {
  double mean = 0;
  double standard_deviation = 0;
};

/// @param low < `high`; either may be infinite.
[[nodiscard]] NormalMoments MomentsBetween(double low, double high);

}  // namespace orrery::experiment::internal
