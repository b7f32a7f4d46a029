#include "orrery/base/numbers/estimate.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"

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

// For many degrees, for which rounding spoils the sums: the expansion around
// the normal quantile z. Abramowitz & Stegun, 26.7.5.
double ExpandedQuantile(double z, double degrees) {
  const double square = z * z;
  const double first = z * (square + 1) / 4;
  const double second = z * ((5 * square + 16) * square + 3) / 96;
  const double third =
      z * (((3 * square + 19) * square + 17) * square - 15) / 384;
  return z + (first + (second + third / degrees) / degrees) / degrees;
}

}  // namespace

double Estimate::standard_error() const {
  return deviation / std::sqrt(static_cast<double>(count));
}

double StudentQuantile(double confidence, std::int64_t degrees) {
  ORRERY_CHECK(degrees > 0);
  ORRERY_CHECK(confidence > 0 && confidence < 1);
  if (degrees > 10'000) {
    return ExpandedQuantile(InverseNormalCdf((1 + confidence) / 2),
                            static_cast<double>(degrees));
  }
  double low = 0;
  double high = std::numbers::pi / 2;
  double middle = (low + high) / 2;
  while (middle > low && middle < high) {
    (ProbabilityWithin(middle, degrees) < confidence ? low : high) = middle;
    middle = (low + high) / 2;
  }
  return std::sqrt(static_cast<double>(degrees)) * std::tan(high);
}

Estimate EstimateMean(std::span<const double> values, double confidence) {
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
  result.half_width =
      StudentQuantile(confidence, result.count - 1) * result.standard_error();
  return result;
}

}  // namespace orrery
