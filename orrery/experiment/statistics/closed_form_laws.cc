#include "orrery/experiment/statistics/closed_form_laws.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

#include "orrery/base/numbers/random.h"
#include "orrery/experiment/statistics/boost_laws.h"
#include "orrery/experiment/statistics/distribution_law.h"

namespace orrery::experiment::internal {
namespace {

class Normal final : public DistributionLaw {
 public:
  Normal(double mean, double deviation) : mean_(mean), deviation_(deviation) {}

  [[nodiscard]] double Quantile(double p) const override {
    return mean_ + deviation_ * InverseNormalCdf(p);
  }

  [[nodiscard]] double Cdf(double x) const override {
    return NormalCdf((x - mean_) / deviation_);
  }

  [[nodiscard]] double mean() const override { return mean_; }

  [[nodiscard]] double standard_deviation() const override {
    return deviation_;
  }

 private:
  double mean_;
  double deviation_;
};

// Works on the side of the mean that holds most of the interval, as its lower
// tail: probabilities there are small numbers, which keep their digits.
class TruncatedNormal final : public DistributionLaw {
 public:
  TruncatedNormal(double mean, double deviation, double low, double high)
      : mean_(mean), deviation_(deviation), low_(low), high_(high) {
    const double from = (low - mean) / deviation;
    const double to = (high - mean) / deviation;
    is_mirrored_ = from + to > 0;
    below_ = NormalCdf(is_mirrored_ ? -to : from);
    within_ = NormalChance(from, to);
    const NormalMoments moments = MomentsBetween(from, to);
    own_mean_ = mean + deviation * moments.mean;
    own_deviation_ = deviation * moments.standard_deviation;
  }

  [[nodiscard]] double Quantile(double p) const override {
    const double tail = below_ + (is_mirrored_ ? 1 - p : p) * within_;
    const double z = InverseNormalCdf(std::clamp(tail, 0.0, 1.0));
    return std::clamp(
        mean_ + deviation_ * (is_mirrored_ ? -z : z), low_, high_);
  }

  [[nodiscard]] double Cdf(double x) const override {
    const double z = (std::clamp(x, low_, high_) - mean_) / deviation_;
    const double part = (NormalCdf(is_mirrored_ ? -z : z) - below_) / within_;
    return std::clamp(is_mirrored_ ? 1 - part : part, 0.0, 1.0);
  }

  [[nodiscard]] double mean() const override { return own_mean_; }

  [[nodiscard]] double standard_deviation() const override {
    return own_deviation_;
  }

 private:
  double mean_;
  double deviation_;
  double low_;
  double high_;
  bool is_mirrored_ = false;
  double below_ = 0;
  double within_ = 0;
  double own_mean_ = 0;
  double own_deviation_ = 0;
};

class Uniform final : public DistributionLaw {
 public:
  Uniform(double low, double high) : low_(low), high_(high) {}

  [[nodiscard]] double Quantile(double p) const override {
    return std::lerp(low_, high_, p);
  }

  [[nodiscard]] double Cdf(double x) const override {
    return std::clamp((x - low_) / (high_ - low_), 0.0, 1.0);
  }

  [[nodiscard]] double mean() const override {
    return std::midpoint(low_, high_);
  }

  [[nodiscard]] double standard_deviation() const override {
    return (high_ - low_) / std::sqrt(12.0);
  }

 private:
  double low_;
  double high_;
};

class LogUniform final : public DistributionLaw {
 public:
  LogUniform(double low, double high)
      : low_(low),
        high_(high),
        log_low_(std::log(low)),
        log_high_(std::log(high)) {}

  [[nodiscard]] double Quantile(double p) const override {
    if (p == 0 || p == 1) {
      return p == 0 ? low_ : high_;
    }
    return std::clamp(std::exp(std::lerp(log_low_, log_high_, p)), low_, high_);
  }

  [[nodiscard]] double Cdf(double x) const override {
    return x <= low_
               ? 0
               : std::min((std::log(x) - log_low_) / (log_high_ - log_low_),
                          1.0);
  }

  // With h = log(high / low) / 2 and the geometric middle g:
  // mean = g sinh(h) / h, variance = g mean (cosh(h) - sinh(h) / h).
  [[nodiscard]] double mean() const override {
    const double h = half_width();
    return middle() * std::sinh(h) / h;
  }

  [[nodiscard]] double standard_deviation() const override {
    const double h = half_width();
    double excess = std::cosh(h) - std::sinh(h) / h;
    if (h < 1) {  // Its series, whose terms do not cancel.
      excess = 0;
      double term = 1;  // h^(2k) / (2k + 1)!
      for (int k = 1; k <= 10; ++k) {
        term *= h * h / (2 * k * (2 * k + 1));
        excess += 2 * k * term;
      }
    }
    return std::sqrt(middle() * mean() * excess);
  }

 private:
  [[nodiscard]] double half_width() const { return (log_high_ - log_low_) / 2; }

  [[nodiscard]] double middle() const {
    return std::sqrt(low_) * std::sqrt(high_);
  }

  double low_;
  double high_;
  double log_low_;
  double log_high_;
};

class LogNormal final : public DistributionLaw {
 public:
  LogNormal(double mu, double sigma) : mu_(mu), sigma_(sigma) {}

  [[nodiscard]] double Quantile(double p) const override {
    return std::exp(mu_ + sigma_ * InverseNormalCdf(p));
  }

  [[nodiscard]] double Cdf(double x) const override {
    return x <= 0 ? 0 : NormalCdf((std::log(x) - mu_) / sigma_);
  }

  [[nodiscard]] double mean() const override {
    return std::exp(mu_ + sigma_ * sigma_ / 2);
  }

  [[nodiscard]] double standard_deviation() const override {
    return mean() * std::sqrt(std::expm1(sigma_ * sigma_));
  }

 private:
  double mu_;
  double sigma_;
};

class Exponential final : public DistributionLaw {
 public:
  explicit Exponential(double mean) : mean_(mean) {}

  [[nodiscard]] double Quantile(double p) const override {
    return -mean_ * std::log1p(-p);
  }

  [[nodiscard]] double Cdf(double x) const override {
    return x <= 0 ? 0 : -std::expm1(-x / mean_);
  }

  [[nodiscard]] double mean() const override { return mean_; }

  [[nodiscard]] double standard_deviation() const override { return mean_; }

 private:
  double mean_;
};

class UniformInteger final : public DistributionLaw {
 public:
  UniformInteger(double low, double high)
      : low_(low), high_(high), count_(high - low + 1) {}

  [[nodiscard]] double Quantile(double p) const override {
    return std::clamp(low_ + std::ceil(p * count_) - 1, low_, high_);
  }

  [[nodiscard]] double Cdf(double x) const override {
    return std::clamp((std::floor(x) - low_ + 1) / count_, 0.0, 1.0);
  }

  [[nodiscard]] double mean() const override {
    return std::midpoint(low_, high_);
  }

  [[nodiscard]] double standard_deviation() const override {
    return std::sqrt((count_ - 1) * (count_ + 1) / 12);
  }

  [[nodiscard]] bool is_integer() const override { return true; }

 private:
  double low_;
  double high_;
  double count_;
};

class Discrete final : public DistributionLaw {
 public:
  Discrete(std::span<const double> values, std::span<const double> weights) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return weights[i] == 0; });
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return values[i]; });
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    double sum = 0;
    for (const std::size_t i : order) {
      sum += weights[i];
      values_.push_back(values[i]);
      cumulative_.push_back(sum / total);
      mean_ += weights[i] / total * values[i];
    }
    cumulative_.back() = 1;
    double variance = 0;
    for (const std::size_t i : order) {
      const double from_mean = values[i] - mean_;
      variance += weights[i] / total * from_mean * from_mean;
    }
    deviation_ = std::sqrt(variance);
    is_integer_ = std::ranges::all_of(
        values_, [](double x) { return x == std::floor(x); });
  }

  [[nodiscard]] double Quantile(double p) const override {
    const auto found = std::ranges::lower_bound(cumulative_, p);
    return values_[static_cast<std::size_t>(found - cumulative_.begin())];
  }

  [[nodiscard]] double Cdf(double x) const override {
    const auto above = std::ranges::upper_bound(values_, x);
    return above == values_.begin()
               ? 0
               : cumulative_[static_cast<std::size_t>(above - values_.begin()) -
                             1];
  }

  [[nodiscard]] double mean() const override { return mean_; }

  [[nodiscard]] double standard_deviation() const override {
    return deviation_;
  }

  [[nodiscard]] bool is_integer() const override { return is_integer_; }

 private:
  std::vector<double> values_;      // Ascending.
  std::vector<double> cumulative_;  // Cumulative probability including each
                                    // value; the last is 1.
  double mean_ = 0;
  double deviation_ = 0;
  bool is_integer_ = false;
};

}  // namespace

double NormalCdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double NormalChance(double low, double high) {
  return low + high > 0 ? NormalCdf(-low) - NormalCdf(-high)
                        : NormalCdf(high) - NormalCdf(low);
}

SharedLaw MakeNormal(std::span<const double> arguments) {
  if (arguments.size() == 2) {
    return std::make_shared<const Normal>(arguments[0], arguments[1]);
  }
  return std::make_shared<const TruncatedNormal>(
      arguments[0], arguments[1], arguments[2], arguments[3]);
}

SharedLaw MakeUniform(std::span<const double> arguments) {
  return std::make_shared<const Uniform>(arguments[0], arguments[1]);
}

SharedLaw MakeLogUniform(std::span<const double> arguments) {
  return std::make_shared<const LogUniform>(arguments[0], arguments[1]);
}

SharedLaw MakeLogNormal(std::span<const double> arguments) {
  return std::make_shared<const LogNormal>(arguments[0], arguments[1]);
}

SharedLaw MakeExponential(std::span<const double> arguments) {
  return std::make_shared<const Exponential>(arguments[0]);
}

SharedLaw MakeUniformInteger(std::span<const double> arguments) {
  return std::make_shared<const UniformInteger>(arguments[0], arguments[1]);
}

SharedLaw MakeDiscrete(std::span<const double> values,
                       std::span<const double> weights) {
  return std::make_shared<const Discrete>(values, weights);
}

}  // namespace orrery::experiment::internal
