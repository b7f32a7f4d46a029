#pragma once

#include <span>

#include "orrery/experiment/statistics/distribution_law.h"

namespace orrery::experiment::internal {

// The laws of each family, from the arguments of its text, in order.

[[nodiscard]] SharedLaw MakeNormal(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeUniform(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeLogUniform(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeLogNormal(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeExponential(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeUniformInteger(std::span<const double> arguments);

/// @param weights one for each value, finite, not negative, not all 0.
[[nodiscard]] SharedLaw MakeDiscrete(std::span<const double> values,
                                     std::span<const double> weights);

/// The probability that a standard normal variable is below `z`.
[[nodiscard]] double NormalCdf(double z);

/// The probability that it is between two numbers, `low` < `high`, to all
/// digits also far from 0.
[[nodiscard]] double NormalChance(double low, double high);

}  // namespace orrery::experiment::internal
