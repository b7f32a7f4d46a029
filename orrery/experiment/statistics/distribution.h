#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/units.h"

namespace orrery {

namespace internal {
class DistributionLaw;
}  // namespace internal

/// How likely the values of an uncertain quantity are. A small immutable
/// value; the copies share its law, and many threads may ask it.
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
/// A truncated normal distribution is the normal one, given that it is between
/// `low` and `high`, one of which may be infinite (`inf`): its own mean and
/// standard deviation are others.
///
/// Everything is drawn by inversion, Quantile() of a probability, so that
/// random, Latin hypercube and low-discrepancy points come by one way. Numbers
/// rest on the elementary functions of the C library: to the last bit they are
/// the same only where these are.
class Distribution {
 public:
  /// Reads a text of the form above; blanks are allowed anywhere.
  /// @throws Error kInvalidArgument with a diagnostic that points at what is
  ///     wrong.
  [[nodiscard]] static Distribution Parse(std::string_view text);

  /// `values`, each with a chance in proportion to its weight.
  /// @param weights as many, or none: all alike.
  /// @throws Error kInvalidArgument if nothing is left to be drawn, or a number
  ///     is out of range.
  [[nodiscard]] static Distribution Discrete(
      std::span<const double> values, std::span<const double> weights = {});

  /// @param family one of Families() but `discrete`.
  /// @param arguments in the order above.
  /// @throws Error kInvalidArgument, naming the argument that is out of range.
  Distribution(std::string_view family, std::vector<double> arguments);

  /// The names above, sorted.
  [[nodiscard]] static std::span<const std::string> Families();

  /// That of the same quantity in another unit. Spreads and scales are
  /// differences: they change by the factor alone.
  /// @throws Error kInvalidArgument if it is of whole numbers, or begins at the
  ///     zero of a scale that the other unit has elsewhere.
  [[nodiscard]] Distribution In(const UnitConversion& conversion) const;

  /// The least x with Cdf(x) >= `p`, monotone in `p`; for 0 and 1 the ends of
  /// what is possible, which may be infinite.
  /// @throws Error kInvalidArgument if `p` is outside [0, 1].
  [[nodiscard]] double Quantile(double p) const;

  /// The probability of a value up to `x`.
  [[nodiscard]] double Cdf(double x) const;

  [[nodiscard]] double mean() const;

  [[nodiscard]] double standard_deviation() const;

  /// Whether all values are whole numbers.
  [[nodiscard]] bool is_integer() const;

  /// Whether its values are single ones, with nothing possible between.
  [[nodiscard]] bool is_discrete() const;

  /// As Parse() reads it, with the same numbers to the last bit.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  friend bool operator==(const Distribution& a, const Distribution& b) {
    return a.text_ == b.text_;
  }

 private:
  Distribution(std::shared_ptr<const internal::DistributionLaw> law,
               std::string text);

  std::string text_;
  // Of numbers: its family and arguments. `discrete`: values, then weights.
  std::string family_;
  std::vector<double> arguments_;
  std::size_t num_values_ = 0;  // Of `discrete`.
  std::shared_ptr<const internal::DistributionLaw> law_;
};

}  // namespace orrery
