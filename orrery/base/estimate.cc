#include "orrery/base/estimate.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "orrery/base/error.h"

namespace orrery {
namespace {

// The probability that |t| is below sqrt(degrees) * tan(theta). Abramowitz &
// Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
double ProbabilityWithin(double theta, std::int64_t degrees) {
  const double square = std::cos(theta) * std::cos(theta);
  const bool is_odd = degrees % 2 == 1;
  double sum = 0;
  double term = is_odd ? std::cos(theta) : 1.0;
  for (std::int64_t k = is_odd ? 3 : 2; k <= degrees; k += 2) {
    sum += term;
    const auto factor = static_cast<double>(k);
    term *= (factor - 1) / factor * square;
    if (term < 1e-18) {
      break;
    }
  }
  return is_odd ? 2 / std::numbers::pi * (theta + std::sin(theta) * sum)
                : std::sin(theta) * sum;
}

// For many degrees, where rounding spoils the sums: the expansion about the
// normal quantile z. Abramowitz & Stegun, 26.7.5.
double ExpandedQuantile975(double degrees) {
  constexpr double kZ = 1.959963984540054;
  constexpr double kZ2 = kZ * kZ;
  constexpr double kFirst = kZ * (kZ2 + 1) / 4;
  constexpr double kSecond = kZ * ((5 * kZ2 + 16) * kZ2 + 3) / 96;
  constexpr double kThird = kZ * (((3 * kZ2 + 19) * kZ2 + 17) * kZ2 - 15) / 384;
  return kZ + (kFirst + (kSecond + kThird / degrees) / degrees) / degrees;
}

}  // namespace

double StudentQuantile975(std::int64_t degrees) {
  ORRERY_CHECK(degrees > 0);
  if (degrees > 10'000) {
    return ExpandedQuantile975(static_cast<double>(degrees));
  }
  double low = 0;
  double high = std::numbers::pi / 2;
  double middle = (low + high) / 2;
  while (middle > low && middle < high) {
    (ProbabilityWithin(middle, degrees) < 0.95 ? low : high) = middle;
    middle = (low + high) / 2;
  }
  return std::sqrt(static_cast<double>(degrees)) * std::tan(high);
}

Estimate EstimateMean(std::span<const double> values) {
  Estimate result{.mean = std::numeric_limits<double>::quiet_NaN(),
                  .deviation = std::numeric_limits<double>::quiet_NaN(),
                  .half_width = std::numeric_limits<double>::infinity()};
  double sum = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      ++result.count;
      sum += value;
    }
  }
  if (result.count == 0) {
    return result;
  }
  const auto count = static_cast<double>(result.count);
  result.mean = sum / count;
  if (result.count == 1) {
    return result;
  }
  double squares = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      squares += (value - result.mean) * (value - result.mean);
    }
  }
  result.deviation = std::sqrt(squares / (count - 1));
  result.half_width = StudentQuantile975(result.count - 1) * result.deviation /
                      std::sqrt(count);
  return result;
}

}  // namespace orrery
