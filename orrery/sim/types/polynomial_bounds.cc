#include "orrery/sim/types/polynomial_bounds.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "orrery/base/error.h"

namespace orrery::sim::internal {

namespace {

// Converts sum_k c[k] * theta^k to powers of theta - origin, by repeated
// synthetic division.
template <std::size_t kTerms>
void ShiftTo(double origin, std::span<double, kTerms> c) noexcept {
  for (std::size_t first = 0; first + 1 < c.size(); ++first) {
    for (std::size_t k = c.size() - 1; k > first; --k) {
      c[k - 1] += origin * c[k];
    }
  }
}

// With s = (theta - begin) / (end - begin) as sum_k a[k] * s^k, coefficient j
// is sum_k a[k] * binomial(j, k) / binomial(degree, k).
template <std::size_t kTerms>
void Convert(std::span<double, kTerms> c, double begin, double end) noexcept {
  if (begin != 0) {
    ShiftTo(begin, c);
  }
  const std::size_t degree = c.size() - 1;
  double factor = 1;  // (end - begin)^k / binomial(degree, k)
  for (std::size_t k = 1; k <= degree; ++k) {
    factor *= (end - begin) * static_cast<double>(k) /
              static_cast<double>(degree - k + 1);
    c[k] *= factor;
  }
  for (std::size_t first = 1; first <= degree; ++first) {
    for (std::size_t k = degree; k >= first; --k) {
      c[k] += c[k - 1];
    }
  }
}

}  // namespace

// Expands the polynomial about the middle; all terms but the constant add at
// most their magnitudes. Source: Moore, Kearfott and Cloud (2009), section 6.4,
// centered forms.
Bounds BoundPolynomial(std::span<double> c,
                       double middle,
                       double radius) noexcept {
  const std::size_t terms = c.size();
  ShiftTo(middle, c);
  double reach = 0;        // |x - c[0]|, at most.
  double slope_reach = 0;  // |dx/dtheta - c[1]|, at most.
  double power = 1;        // radius^(k-1)
  for (std::size_t k = 1; k < terms; ++k) {
    if (k > 1) {
      slope_reach += static_cast<double>(k) * std::abs(c[k]) * power;
    }
    reach += std::abs(c[k]) * power * radius;
    power *= radius;
  }
  return {.value = {c[0] - reach, c[0] + reach},
          .slope = {c[1] - slope_reach, c[1] + slope_reach}};
}

void ToBernstein(std::span<double> c, double begin, double end) noexcept {
  // Loops are unrolled for the usual sizes.
  switch (c.size()) {
    case 3:
      return Convert(c.first<3>(), begin, end);
    case 5:
      return Convert(c.first<5>(), begin, end);
    default:
      return Convert(c, begin, end);
  }
}

Bounds BoundState(const DenseOutput& dense,
                  int state,
                  double begin,
                  double end) noexcept {
  constexpr std::size_t kMaxTerms = 32;
  const auto terms = static_cast<std::size_t>(dense.degree()) + 1;
  ORRERY_CHECK(terms <= kMaxTerms);
  std::array<double, kMaxTerms> c{};
  for (std::size_t k = 0; k < terms; ++k) {
    c[k] = dense.coefficients(
        static_cast<int>(k))[static_cast<std::size_t>(state)];
  }
  const double middle =
      (begin - dense.t_begin() + (end - begin) / 2) / dense.h();
  const double radius = (end - begin) / 2 / dense.h();
  Bounds bounds = BoundPolynomial(std::span(c).first(terms), middle, radius);
  bounds.slope = {bounds.slope.lower / dense.h(),
                  bounds.slope.upper / dense.h()};
  return bounds;
}

}  // namespace orrery::sim::internal
