#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "orrery/base/error.h"
#include "orrery/symbolic/tape/interval.h"

namespace orrery::sim::internal {

/// A number over time, c[0] + c[1] s + ..., s being the seconds since `begin`.
class Curve {
 public:
  static constexpr std::size_t kMaxTerms = 8;

  /// Zero at all times.
  Curve() = default;

  Curve(double begin, std::span<const double> coefficients)
      : begin_(begin), terms_(coefficients.size()) {
    ORRERY_CHECK(terms_ >= 1 && terms_ <= kMaxTerms);
    std::ranges::copy(coefficients, c_.begin());
  }

  [[nodiscard]] double At(double t) const noexcept {
    double value = c_[terms_ - 1];
    for (std::size_t k = terms_ - 1; k > 0; --k) {
      value = value * (t - begin_) + c_[k - 1];
    }
    return value;
  }

  [[nodiscard]] double SlopeAt(double t) const noexcept {
    double slope = 0;
    for (std::size_t k = terms_ - 1; k > 0; --k) {
      slope = slope * (t - begin_) + static_cast<double>(k) * c_[k];
    }
    return slope;
  }

  /// The coefficient of s^k of the same curve, s being the seconds since `t`.
  [[nodiscard]] double CoefficientAt(double t, std::size_t k) const noexcept {
    double value = 0;
    for (std::size_t m = terms_; m-- > k;) {
      double binomial = 1;  // m over k
      for (std::size_t i = 0; i < k; ++i) {
        binomial *= static_cast<double>(m - i) / static_cast<double>(i + 1);
      }
      value = value * (t - begin_) + binomial * c_[m];
    }
    return value;
  }

  /// Bounds of its value and of its rate over [begin, end].
  [[nodiscard]] Bounds Over(double begin, double end) const noexcept;

  friend Curve operator-(Curve curve) noexcept {
    for (double& c : curve.c_) {
      c = -c;
    }
    return curve;
  }

  [[nodiscard]] bool is_constant() const noexcept { return terms_ == 1; }

  /// True for the same coefficients from the same time on, or the same
  /// constant.
  friend bool operator==(const Curve& a, const Curve& b) noexcept {
    return a.terms_ == b.terms_ && a.c_ == b.c_ &&
           (a.is_constant() || a.begin_ == b.begin_);
  }

 private:
  double begin_ = 0;
  std::size_t terms_ = 1;
  std::array<double, kMaxTerms> c_{};
};

}  // namespace orrery::sim::internal
