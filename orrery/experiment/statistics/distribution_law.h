#pragma once

#include <memory>

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

}  // namespace orrery::experiment::internal
