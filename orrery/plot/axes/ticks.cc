#include "orrery/plot/axes/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace orrery::plot::internal {
namespace {

// A range below this share of its values is rounding, not a signal.
constexpr double kLeastRelativeRange = 1e-12;

// A step of `digit` * 10^`exponent`.
struct Step {
  std::int64_t digit = 1;
  int exponent = 0;

  [[nodiscard]] long double size() const {
    return static_cast<long double>(digit) * std::pow(10.0L, exponent);
  }
};

// Long double, as a range may be longer than any double.
long double Long(double value) {
  return static_cast<long double>(value);
}

long double Length(Range range) {
  return Long(range.high) - Long(range.low);
}

// The first and last multiple of `step` in `range`, within rounding.
std::pair<std::int64_t, std::int64_t> Multiples(Range range, const Step& step) {
  constexpr long double kSlack = 1e-6L;
  return {static_cast<std::int64_t>(
              std::ceil(Long(range.low) / step.size() - kSlack)),
          static_cast<std::int64_t>(
              std::floor(Long(range.high) / step.size() + kSlack))};
}

// The smallest step with at most `most` multiples in `range`.
Step ChooseStep(Range range, int most) {
  const long double least = Length(range) / (most + 1);
  Step step{.exponent = static_cast<int>(std::floor(std::log10(least)))};
  while (true) {
    for (const std::int64_t digit : {1, 2, 5}) {
      step.digit = digit;
      const auto [first, last] = Multiples(range, step);
      if (step.size() >= least && last - first + 1 <= most) {
        return step;
      }
    }
    ++step.exponent;
  }
}

// `number` * 10^-`decimals`, exactly.
std::string Decimal(std::int64_t number, int decimals) {
  std::string digits = std::to_string(std::abs(number));
  if (decimals <= 0) {
    if (number != 0) {
      digits.append(static_cast<std::size_t>(-decimals), '0');
    }
  } else if (number != 0) {
    const auto places = static_cast<std::size_t>(decimals);
    if (digits.size() <= places) {
      digits.insert(0, places + 1 - digits.size(), '0');
    }
    digits.insert(digits.size() - places, ".");
  }
  return (number < 0 ? "-" : "") + digits;
}

// The power of a thousand that labels up to `largest` share; none for moderate
// numbers.
int SharedExponent(long double largest) {
  const auto exponent = static_cast<int>(std::floor(std::log10(largest)));
  if (exponent >= -3 && exponent < 6) {
    return 0;
  }
  return 3 * static_cast<int>(std::floor(exponent / 3.0));
}

}  // namespace

void RangeFinder::Add(double value) {
  if (std::isfinite(value)) {
    low_ = empty_ ? value : std::min(low_, value);
    high_ = empty_ ? value : std::max(high_, value);
    empty_ = false;
  }
}

Range RangeFinder::Find() const {
  if (empty_) {
    return {};
  }
  const double largest = std::max(std::abs(low_), std::abs(high_));
  if (high_ / 2 - low_ / 2 > kLeastRelativeRange * largest / 2) {
    return {low_, high_};
  }
  // Below that, room around the value would underflow.
  constexpr double kLeast = 1e-290;
  if (largest < kLeast) {
    return {-1, 1};
  }
  const double room = 0.1 * largest;
  const double middle = low_ / 2 + high_ / 2;
  constexpr double kMost = 1.7e308;
  return {std::max(middle - room, -kMost), std::min(middle + room, kMost)};
}

Range Padded(Range range, double share) {
  constexpr long double kMost = 1.79e308L;
  const long double room = Long(share) * Length(range);
  return {static_cast<double>(std::max(Long(range.low) - room, -kMost)),
          static_cast<double>(std::min(Long(range.high) + room, kMost))};
}

double Fraction(Range range, double value) {
  return static_cast<double>((Long(value) - Long(range.low)) / Length(range));
}

Ticks MakeTicks(Range range, int most) {
  const Step step = ChooseStep(range, most);
  const auto [first, last] = Multiples(range, step);
  Ticks ticks;
  const long double largest =
      step.size() * static_cast<long double>(std::max(
                        {std::abs(first), std::abs(last), std::int64_t{1}}));
  ticks.exponent = SharedExponent(largest);
  const int decimals = ticks.exponent - step.exponent;
  for (std::int64_t k = first; k <= last; ++k) {
    const long double value = step.size() * static_cast<long double>(k);
    ticks.values.push_back(
        std::clamp(static_cast<double>(value), range.low, range.high));
    ticks.labels.push_back(Decimal(k * step.digit, decimals));
  }
  return ticks;
}

Range RoundedToTicks(Range range, int most) {
  // The rounded range may hold two ticks more.
  const Step step = ChooseStep(range, std::max(2, most - 2));
  const long double low = std::floor(Long(range.low) / step.size() + 1e-6L);
  const long double high = std::ceil(Long(range.high) / step.size() - 1e-6L);
  const Range rounded = {static_cast<double>(low * step.size()),
                         static_cast<double>(high * step.size())};
  return std::isfinite(rounded.low) && std::isfinite(rounded.high) ? rounded
                                                                   : range;
}

}  // namespace orrery::plot::internal
