#pragma once

#include <memory>
#include <span>
#include <vector>

namespace orrery::experiment::internal {

/// The functions of one distribution with valid arguments.
class DistributionLaw {
 public:
  DistributionLaw() = default;
  virtual ~DistributionLaw() = default;
  DistributionLaw(const DistributionLaw&) = delete;
  DistributionLaw& operator=(const DistributionLaw&) = delete;

  /// @param p in [0, 1].
  [[nodiscard]] virtual double Quantile(double p) const = 0;

  [[nodiscard]] virtual double Cdf(double x) const = 0;

  [[nodiscard]] virtual double mean() const = 0;

  [[nodiscard]] virtual double standard_deviation() const = 0;

  [[nodiscard]] virtual bool is_integer() const { return false; }
};

using SharedLaw = std::shared_ptr<const DistributionLaw>;

// The laws of each family, from the arguments of its text, in order.

[[nodiscard]] SharedLaw MakeNormal(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeUniform(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeLogUniform(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeLogNormal(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeExponential(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeUniformInteger(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeTriangular(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeGamma(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeBeta(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeWeibull(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakePoisson(std::span<const double> arguments);
[[nodiscard]] SharedLaw MakeBinomial(std::span<const double> arguments);

/// @param weights one for each value, finite, not negative, not all 0.
[[nodiscard]] SharedLaw MakeDiscrete(std::span<const double> values,
                                     std::span<const double> weights);

/// The probability that a standard normal variable is below `z`.
[[nodiscard]] double NormalCdf(double z);

/// The probability that it is between two numbers, `low` < `high`, to all
/// digits also far from 0.
[[nodiscard]] double NormalChance(double low, double high);

/// Mean and standard deviation of a standard normal variable, given that it is
/// between two ends.
struct NormalMoments {
  double mean = 0;
  double standard_deviation = 0;
};

/// @param low < `high`; either may be infinite.
[[nodiscard]] NormalMoments MomentsBetween(double low, double high);

}  // namespace orrery::experiment::internal
