#pragma once

#include <cstdint>
#include <span>

namespace orrery {

/// What independent observations say of a mean. Plain data.
struct Estimate {
  std::int64_t count = 0;  ///< Observations: the finite ones of those given.
  double mean = 0;
  double deviation = 0;  ///< Of an observation; with the divisor count - 1.
  /// The mean lies in mean -+ half_width with the probability that was asked
  /// for, if the observations are normal; infinite for fewer than two of them.
  double half_width = 0;

  /// Of the mean: deviation / sqrt(count).
  [[nodiscard]] double standard_error() const;
};

/// The quantile of Student's t distribution for (1 + `confidence`) / 2: half of
/// a two-sided interval, in standard errors.
/// @param confidence the probability of the interval, in (0, 1).
/// @param degrees of freedom, > 0.
[[nodiscard]] double StudentQuantile(double confidence, std::int64_t degrees);

/// NaN as mean and deviation if nothing is finite. The sums are taken in the
/// order of the values.
/// @param confidence of the interval, in (0, 1).
[[nodiscard]] Estimate EstimateMean(std::span<const double> values,
                                    double confidence = 0.95);

}  // namespace orrery
