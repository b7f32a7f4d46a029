#include "orrery/sim/machine/recorded_polynomial.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kMiddle = 3;

// c[0] + c[1] u + c[2] u^2 through values at u = 1/4, 3/4 and 1.
// Newton's divided differences.
std::array<double, 3> Quadratic(std::array<double, 3> values) noexcept {
  const double first = (values[1] - values[0]) * 2;
  const double second = (values[2] - values[1]) * 4;
  const double curvature = (second - first) * 4 / 3;
  return {
      values[0] - first / 4 + curvature * 3 / 16, first - curvature, curvature};
}

double ValueAt(const DelayHistory::Polynomial& c, double theta) noexcept {
  double value = c.back();
  for (std::size_t k = c.size() - 1; k-- > 0;) {
    value = value * theta + c[k];
  }
  return value;
}

// Where a monotone polynomial has the value `wanted`, between -1 and 1. Secants
// that keep the root in between (Illinois), then halves.
double Invert(const DelayHistory::Polynomial& c, double wanted) noexcept {
  constexpr int kMost = 80;
  double a = -1;
  double b = 1;
  double at_a = ValueAt(c, a) - wanted;
  double at_b = ValueAt(c, b) - wanted;
  for (int i = 0; i < kMost; ++i) {
    const double secant = b - at_b * (b - a) / (at_b - at_a);
    const double middle =
        i < kMost / 2 && secant > a && secant < b ? secant : a + (b - a) / 2;
    if (middle == a || middle == b) {
      return middle;
    }
    const double at_middle = ValueAt(c, middle) - wanted;
    if (at_middle == 0) {
      return middle;
    }
    if ((at_middle > 0) == (at_b > 0)) {
      b = middle;
      at_b = at_middle;
      at_a /= 2;
    } else {
      a = middle;
      at_a = at_middle;
      at_b /= 2;
    }
  }
  return a + (b - a) / 2;
}

}  // namespace

DelayHistory::Polynomial FitPolynomial(const RecordSamples& samples) noexcept {
  std::array<double, 3> odd{};
  std::array<double, 3> even{};
  for (std::size_t i = 0; i < odd.size(); ++i) {
    const double above = samples[kMiddle + 1 + i] - samples[kMiddle];
    const double below = samples[kMiddle - 1 - i] - samples[kMiddle];
    const double theta = kRecordNodes[kMiddle + 1 + i];
    odd[i] = (above - below) / (2 * theta);
    even[i] = (above + below) / (2 * theta * theta);
  }
  const auto of_odd = Quadratic(odd);
  const auto of_even = Quadratic(even);
  return {samples[kMiddle],
          of_odd[0],
          of_even[0],
          of_odd[1],
          of_even[1],
          of_odd[2],
          of_even[2]};
}

bool IsResolved(const DelayHistory::Polynomial& polynomial,
                double relative,
                double absolute) noexcept {
  constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
  const double last =
      std::abs(polynomial[6]) / 32 + std::abs(polynomial[5]) / 160;
  const double size = std::abs(polynomial[0]) + std::abs(polynomial[1]);
  return !(last > 0.1 * (relative * size + absolute) &&
           last > kRounding * size);
}

bool AlongPolynomial::is_resolved(double relative,
                                  double absolute) const noexcept {
  // The error of the position counts as a part of the way within the piece.
  const double moved = 2 * std::abs(motion[1]);
  return is_monotone && IsResolved(polynomial, relative, absolute) &&
         IsResolved(motion, 0, relative * moved);
}

AlongPolynomial FitAlong(const RecordSamples& positions,
                         const RecordSamples& samples) noexcept {
  AlongPolynomial result{.motion = FitPolynomial(positions)};
  const double moved = positions.back() - positions.front();
  if (std::abs(moved) <= Rounding(positions.back())) {
    result.polynomial = {samples.back()};
    return result;
  }
  const double sign = moved > 0 ? 1 : -1;
  for (std::size_t k = 1; k < positions.size(); ++k) {
    result.is_monotone =
        result.is_monotone && sign * (positions[k] - positions[k - 1]) >= 0;
  }
  const double first = moved > 0 ? samples.back() : samples.front();
  const double last = moved > 0 ? samples.front() : samples.back();
  if (!result.is_monotone) {
    result.polynomial = {first + (last - first) / 2, (last - first) / 2};
    return result;
  }
  const DelayHistory::Polynomial over_time = FitPolynomial(samples);
  const double middle = positions.front() + moved / 2;
  RecordSamples along{first};
  along.back() = last;
  for (std::size_t k = 1; k + 1 < along.size(); ++k) {
    const double at = middle - kRecordNodes[k] * std::abs(moved) / 2;
    along[k] = ValueAt(over_time, Invert(result.motion, at));
  }
  result.polynomial = FitPolynomial(along);
  return result;
}

}  // namespace orrery::sim::internal
