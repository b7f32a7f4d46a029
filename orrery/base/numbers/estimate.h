#pragma once

#include <cstdint>
#include <span>

namespace orrery {

/// The estimate of a mean from independent observations. Plain data.
struct Estimate {
  std::int64_t count = 0;  ///< Number of finite observations.
  double mean = 0;
  double deviation = 0;  ///< Standard deviation, with the divisor count - 1.
  /// The half-width of the confidence interval of the mean, for normal
  /// observations; infinite for fewer than two.
  double half_width = 0;

  /// The standard error of the mean: deviation / sqrt(count).
  [[nodiscard]] double standard_error() const;
};

/// The quantile of Student's t distribution for (1 + `confidence`) / 2: the
/// half-width of a two-sided interval, in standard errors.
/// @param confidence the probability of the interval, in (0, 1).
/// @param degrees of freedom, > 0.
[[nodiscard]] double StudentQuantile(double confidence, std::int64_t degrees);

/// Mean and deviation are NaN if no value is finite. The sums are taken in the
/// order of the values.
/// @param confidence of the interval, in (0, 1).
[[nodiscard]] Estimate EstimateMean(std::span<const double> values,
                                    double confidence = 0.95);

}  // namespace orrery
