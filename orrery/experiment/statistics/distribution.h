#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/units.h"

namespace orrery {

namespace experiment::internal {
class DistributionLaw;
}  // namespace experiment::internal

/// The probability distribution of an uncertain quantity. A small immutable
/// value; copies share its law, and many threads may use it.
///
///     normal(mean, sd)                 truncated: normal(mean, sd, low, high)
///     uniform(low, high)               loguniform(low, high): log x is uniform
///     lognormal(mu, sigma)             exp of normal(mu, sigma)
///     triangular(low, mode, high)      exponential(mean)
///     gamma(shape, scale)              weibull(shape, scale)
///     beta(a, b)                       stretched: beta(a, b, low, high)
///     discrete({1,2,5})                weighted: discrete({1,2,5}, {2,1,1})
///     uniforminteger(low, high)        both ends included
///     poisson(mean)                    binomial(trials, probability)
///
/// A truncated normal distribution is the normal one, given that the value is
/// between `low` and `high`, one of which may be infinite (`inf`). Its own mean
/// and standard deviation therefore differ from `mean` and `sd`.
///
/// All draws use inversion, the Quantile() of a probability, for random, Latin
/// hypercube and low-discrepancy points alike. Numbers use the elementary
/// functions of the C library; they agree to the last bit only where these do.
/// the same only where these are.
class Distribution {
 public:
  /// Reads a text of the form above; blanks are allowed anywhere.
  /// @throws Error kInvalidArgument with a diagnostic that points at the
  ///     mistake.
  [[nodiscard]] static Distribution Parse(std::string_view text);

  /// Makes a distribution of `values`, each with a probability in proportion to
  /// its weight.
  /// @param weights as many as values; empty for equal weights.
  /// @throws Error kInvalidArgument if no value has a positive weight, or a
  ///     number is out of range.
  [[nodiscard]] static Distribution Discrete(
      std::span<const double> values, std::span<const double> weights = {});

  /// @param family one of Families() but `discrete`.
  /// @param arguments in the order above.
  /// @throws Error kInvalidArgument, naming the argument that is out of range.
  Distribution(std::string_view family, std::vector<double> arguments);

  /// The names of all families, sorted.
  [[nodiscard]] static std::span<const std::string> Families();

  /// Returns the distribution of the same quantity in another unit. Spreads and
  /// scales are differences: only the factor of the conversion applies to them.
  /// @throws Error kInvalidArgument if it is a distribution of whole numbers,
  ///     or if it begins at a zero that the other unit shifts.
  [[nodiscard]] Distribution In(const UnitConversion& conversion) const;

  /// The least x with Cdf(x) >= `p`, monotone in `p`. For 0 and 1: the ends of
  /// the support, which may be infinite.
  /// @throws Error kInvalidArgument if `p` is outside [0, 1].
  [[nodiscard]] double Quantile(double p) const;

  /// The probability of a value up to `x`.
  [[nodiscard]] double Cdf(double x) const;

  [[nodiscard]] double mean() const;

  [[nodiscard]] double standard_deviation() const;

  /// True if all values are whole numbers.
  [[nodiscard]] bool is_integer() const;

  /// True if the values are isolated.
  [[nodiscard]] bool is_discrete() const;

  /// The text that Parse() reads, with the same numbers to the last bit.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  friend bool operator==(const Distribution& a, const Distribution& b) {
    return a.text_ == b.text_;
  }

 private:
  Distribution(std::shared_ptr<const experiment::internal::DistributionLaw> law,
               std::string text);

  std::string text_;
  // The family of numbers and its arguments; for `discrete`: values, then
  // weights.
  std::string family_;
  std::vector<double> arguments_;
  std::size_t num_values_ = 0;  // The number of values of `discrete`.
  std::shared_ptr<const experiment::internal::DistributionLaw> law_;
};

}  // namespace orrery
