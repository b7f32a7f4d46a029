#pragma once

#include <cstdint>
#include <span>

namespace orrery {

/// What independent observations say of a mean. Plain data.
struct Estimate {
  std::int64_t count = 0;  ///< Observations: the finite ones of those given.
  double mean = 0;
  double deviation = 0;  ///< Of an observation; with the divisor count - 1.
  /// The mean lies in mean -+ half_width with 95 % probability, if the
  /// observations are normal; infinite for fewer than two of them.
  double half_width = 0;
};

/// The 0.975 quantile of Student's t distribution: half of a two-sided 95 %
/// interval, in standard errors.
/// @param degrees of freedom, > 0.
[[nodiscard]] double StudentQuantile975(std::int64_t degrees);

/// NaN as mean and deviation if nothing is finite. The sums are taken in the
/// order of the values.
[[nodiscard]] Estimate EstimateMean(std::span<const double> values);

}  // namespace orrery
