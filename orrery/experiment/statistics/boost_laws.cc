#include "orrery/experiment/statistics/boost_laws.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/experiment/statistics/distribution_law.h"

namespace orrery::experiment::internal {
namespace {

namespace policies = boost::math::policies;

// Results out of range are infinite or NaN, never an exception. All is computed
// in double precision, which all machines have. A discrete quantile is the
// least number whose probability suffices.
using Policy =
    policies::policy<policies::domain_error<policies::ignore_error>,
                     policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>,
                     policies::rounding_error<policies::ignore_error>,
                     policies::promote_double<false>,
                     policies::discrete_quantile<policies::integer_round_up>>;

enum class Kind : std::uint8_t { kContinuous, kInteger };

// A distribution of Boost.Math on its support. Boost replaces the ends 0 and
// infinity by the least and the largest positive number.
template <typename BoostDistribution, Kind kKind>
class BoostLaw final : public DistributionLaw {
 public:
  explicit BoostLaw(const BoostDistribution& distribution)
      : distribution_(distribution) {
    const auto [low, high] = boost::math::support(distribution_);
    low_ = low == std::numeric_limits<double>::min() ? 0 : low;
    high_ = high == std::numeric_limits<double>::max() ? kInfinity : high;
  }

  [[nodiscard]] double Quantile(double p) const override {
    if (p == 0 || p == 1) {
      return p == 0 ? low_ : high_;
    }
    return boost::math::quantile(distribution_, p);
  }

  [[nodiscard]] double Cdf(double x) const override {
    if (x < low_ || x >= high_) {
      return x < low_ ? 0 : 1;
    }
    return boost::math::cdf(distribution_, is_integer() ? std::floor(x) : x);
  }

  [[nodiscard]] double mean() const override {
    return boost::math::mean(distribution_);
  }

  [[nodiscard]] double standard_deviation() const override {
    return boost::math::standard_deviation(distribution_);
  }

  [[nodiscard]] bool is_integer() const override {
    return kKind == Kind::kInteger;
  }

 private:
  BoostDistribution distribution_;
  double low_ = 0;
  double high_ = 0;
};

template <Kind kKind, typename BoostDistribution>
SharedLaw MakeBoost(const BoostDistribution& distribution) {
  return std::make_shared<const BoostLaw<BoostDistribution, kKind>>(
      distribution);
}

// A law on [0, 1], stretched to [low, high].
class Stretched final : public DistributionLaw {
 public:
  Stretched(SharedLaw law, double low, double high)
      : law_(std::move(law)), low_(low), high_(high) {}

  [[nodiscard]] double Quantile(double p) const override {
    return std::lerp(low_, high_, law_->Quantile(p));
  }

  [[nodiscard]] double Cdf(double x) const override {
    return law_->Cdf(std::clamp((x - low_) / (high_ - low_), 0.0, 1.0));
  }

  [[nodiscard]] double mean() const override {
    return std::lerp(low_, high_, law_->mean());
  }

  [[nodiscard]] double standard_deviation() const override {
    return (high_ - low_) * law_->standard_deviation();
  }

 private:
  SharedLaw law_;
  double low_;
  double high_;
};

// The integral of `function` from `low` to `high`.
template <typename Function>
double Integral(const Function& function, double low, double high) {
  constexpr unsigned kMaxDepth = 15;
  constexpr double kTolerance = 1e-14;
  return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
      function, low, high, kMaxDepth, kTolerance);
}

}  // namespace

SharedLaw MakeTriangular(std::span<const double> arguments) {
  return MakeBoost<Kind::kContinuous>(
      boost::math::triangular_distribution<double, Policy>(
          arguments[0], arguments[1], arguments[2]));
}

SharedLaw MakeGamma(std::span<const double> arguments) {
  return MakeBoost<Kind::kContinuous>(
      boost::math::gamma_distribution<double, Policy>(arguments[0],
                                                      arguments[1]));
}

SharedLaw MakeBeta(std::span<const double> arguments) {
  SharedLaw law = MakeBoost<Kind::kContinuous>(
      boost::math::beta_distribution<double, Policy>(arguments[0],
                                                     arguments[1]));
  return arguments.size() == 2
             ? law
             : std::make_shared<const Stretched>(
                   std::move(law), arguments[2], arguments[3]);
}

SharedLaw MakeWeibull(std::span<const double> arguments) {
  return MakeBoost<Kind::kContinuous>(
      boost::math::weibull_distribution<double, Policy>(arguments[0],
                                                        arguments[1]));
}

SharedLaw MakePoisson(std::span<const double> arguments) {
  return MakeBoost<Kind::kInteger>(
      boost::math::poisson_distribution<double, Policy>(arguments[0]));
}

SharedLaw MakeBinomial(std::span<const double> arguments) {
  return MakeBoost<Kind::kInteger>(
      boost::math::binomial_distribution<double, Policy>(arguments[0],
                                                         arguments[1]));
}

// By quadrature around the mode: the closed forms lose all digits in a narrow
// interval and in a far tail.
NormalMoments MomentsBetween(double low, double high) {
  const double peak = std::clamp(0.0, low, high);
  // Density relative to the peak; e^-745 underflows.
  const auto density = [peak](double z) {
    return std::exp(-(z - peak) * (z + peak) / 2);
  };
  const double reach = std::sqrt(peak * peak + 2 * 745);
  const double from = std::max(low, -reach);
  const double to = std::min(high, reach);
  const double mass = Integral(density, from, to);
  const double shift =
      Integral([&](double z) { return (z - peak) * density(z); }, from, to) /
      mass;
  const double mean = peak + shift;
  const double variance =
      Integral([&](double z) { return (z - mean) * (z - mean) * density(z); },
               from,
               to) /
      mass;
  return {.mean = mean, .standard_deviation = std::sqrt(variance)};
}

}  // namespace orrery::experiment::internal
