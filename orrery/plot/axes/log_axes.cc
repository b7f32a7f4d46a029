#include "orrery/plot/axes/log_axes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "orrery/base/numbers/non_finite.h"

namespace orrery::plot::internal {
namespace {

constexpr double kRounding = 1e-9;

void TakeLogarithms(std::vector<double>& values) {
  for (double& value : values) {
    value = value > 0 ? std::log10(value) : kNaN;
  }
}

// `digit` * 10^`exponent`: "0.02", "5000", "2e-7".
std::string PowerLabel(int digit, int exponent) {
  if (exponent < -4 || exponent > 5) {
    return std::to_string(digit) + "e" + std::to_string(exponent);
  }
  const auto zeros = static_cast<std::size_t>(std::abs(exponent));
  return exponent < 0
             ? "0." + std::string(zeros - 1, '0') + std::to_string(digit)
             : std::to_string(digit) + std::string(zeros, '0');
}

// Round numbers for a range of few decades.
Ticks RoundTicks(Range exponents, int most) {
  Ticks ticks = MakeTicks(
      {std::pow(10.0, exponents.low), std::pow(10.0, exponents.high)}, most);
  TakeLogarithms(ticks.values);
  return ticks;
}

Ticks PowerTicks(Range exponents, int first, int last, int most) {
  const int decades = last - first + 1;
  const int stride = (decades + most - 1) / most;
  const std::vector<int> digits = 3 * (decades + 1) <= most
                                      ? std::vector<int>{1, 2, 5}
                                      : std::vector<int>{1};
  Ticks ticks;
  for (int exponent = first - 1; exponent <= last; ++exponent) {
    if (exponent % stride != 0) {
      continue;
    }
    for (const int digit : digits) {
      const double at = exponent + std::log10(digit);
      if (at >= exponents.low - kRounding && at <= exponents.high + kRounding) {
        ticks.values.push_back(std::clamp(at, exponents.low, exponents.high));
        ticks.labels.push_back(PowerLabel(digit, exponent));
      }
    }
  }
  return ticks;
}

}  // namespace

Figure OnAxes(Figure figure) {
  for (Series& series : figure.series) {
    if (figure.x.is_logarithmic) {
      TakeLogarithms(series.x);
    }
    if (figure.y.is_logarithmic) {
      TakeLogarithms(series.y);
    }
  }
  figure.equal_aspect &= figure.x.is_logarithmic == figure.y.is_logarithmic;
  return figure;
}

Ticks TicksOf(const Axis& axis, Range range, int most) {
  if (!axis.is_logarithmic) {
    return MakeTicks(range, most);
  }
  const auto first = static_cast<int>(std::ceil(range.low - kRounding));
  const auto last = static_cast<int>(std::floor(range.high + kRounding));
  return last > first ? PowerTicks(range, first, last, most)
                      : RoundTicks(range, most);
}

Range RoundedOn(const Axis& axis, Range range, int most) {
  if (!axis.is_logarithmic) {
    return RoundedToTicks(range, most);
  }
  return range.high - range.low < 1 ? range
                                    : Range{std::floor(range.low + kRounding),
                                            std::ceil(range.high - kRounding)};
}

}  // namespace orrery::plot::internal
