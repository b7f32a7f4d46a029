#include "orrery/plot/axes/time_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "orrery/base/text/number_text.h"

namespace orrery::plot::internal {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;

constexpr double kLongestInSeconds = 600;
constexpr double kShortestWithDays = 2.0 * kDay;

// Beyond that, a double does not resolve seconds.
constexpr double kMostOnClocks = 1e12;

// Ranges of fewer seconds need fractions.
constexpr double kShortestOnClocks = 4;

constexpr std::array<std::int64_t, 17> kClockSteps = {1,
                                                      2,
                                                      5,
                                                      10,
                                                      15,
                                                      30,
                                                      kMinute,
                                                      2 * kMinute,
                                                      5 * kMinute,
                                                      10 * kMinute,
                                                      15 * kMinute,
                                                      30 * kMinute,
                                                      kHour,
                                                      2 * kHour,
                                                      3 * kHour,
                                                      6 * kHour,
                                                      12 * kHour};

enum class Clock : std::uint8_t { kMinutes, kHours, kDays };

Clock ClockFor(double largest) {
  return largest < kHour               ? Clock::kMinutes
         : largest < kShortestWithDays ? Clock::kHours
                                       : Clock::kDays;
}

std::string TwoDigits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

// "h:mm", or "h:mm:ss".
std::string HoursText(std::int64_t time, bool with_seconds) {
  return std::to_string(time / kHour) + ":" +
         TwoDigits(time % kHour / kMinute) +
         (with_seconds ? ":" + TwoDigits(time % kMinute) : "");
}

std::string MinutesText(std::int64_t time) {
  return std::to_string(time / kMinute) + ":" + TwoDigits(time % kMinute);
}

std::string TickLabel(std::int64_t time, Clock clock, bool with_seconds) {
  const std::int64_t size = std::abs(time);
  const std::string sign = time < 0 ? "-" : "";
  switch (clock) {
    case Clock::kMinutes:
      return sign + MinutesText(size);
    case Clock::kHours:
      return sign + HoursText(size, with_seconds);
    case Clock::kDays:
      break;
  }
  const std::string day = sign + std::to_string(size / kDay) + "d";
  return size % kDay == 0 ? day
                          : day + " " + HoursText(size % kDay, with_seconds);
}

std::string UnitOf(Clock clock, bool with_seconds) {
  const std::string hours = with_seconds ? "h:min:s" : "h:min";
  return clock == Clock::kMinutes ? "min:s"
         : clock == Clock::kHours ? hours
                                  : "d " + hours;
}

// Multiples of `unit` seconds, as decimal numbers.
TimeTicks Decimal(Range range, int most, double unit, const char* symbol) {
  const Ticks ticks = MakeTicks({range.low / unit, range.high / unit}, most);
  TimeTicks out{.values = {},
                .labels = ticks.labels,
                .unit = symbol,
                .exponent = ticks.exponent};
  for (const double value : ticks.values) {
    out.values.push_back(std::clamp(value * unit, range.low, range.high));
  }
  return out;
}

TimeTicks Seconds(Range range, int most) {
  switch (MakeTicks(range, most).exponent) {
    case -3:
      return Decimal(range, most, 1e-3, "ms");
    case -6:
      return Decimal(range, most, 1e-6, "\u00B5s");
    case -9:
      return Decimal(range, most, 1e-9, "ns");
    default:
      return Decimal(range, most, 1, "s");
  }
}

}  // namespace

TimeTicks MakeTimeTicks(Range range, int most) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (largest <= kLongestInSeconds ||
      range.high - range.low < kShortestOnClocks) {
    return Seconds(range, most);
  }
  if (largest > kMostOnClocks) {
    return Decimal(range, most, kDay, "d");
  }
  for (const std::int64_t step : kClockSteps) {
    constexpr double kSlack = 1e-9;
    const auto size = static_cast<double>(step);
    const auto first =
        static_cast<std::int64_t>(std::ceil(range.low / size - kSlack));
    const auto last =
        static_cast<std::int64_t>(std::floor(range.high / size + kSlack));
    if (last - first + 1 > most) {
      continue;
    }
    const Clock clock = ClockFor(largest);
    const bool with_seconds = step % kMinute != 0;
    TimeTicks ticks{
        .values = {}, .labels = {}, .unit = UnitOf(clock, with_seconds)};
    for (std::int64_t k = first; k <= last; ++k) {
      ticks.values.push_back(
          std::clamp(static_cast<double>(k * step), range.low, range.high));
      ticks.labels.push_back(TickLabel(k * step, clock, with_seconds));
    }
    return ticks;
  }
  return Decimal(range, most, kDay, "d");
}

std::string TimeText(double time) {
  const double size = std::abs(time);
  if (size <= kLongestInSeconds || size > kMostOnClocks) {
    return ShortestText(time) + " s";
  }
  const std::string sign = time < 0 ? "-" : "";
  const std::int64_t seconds = std::llround(size);
  if (size < kHour) {
    return sign + MinutesText(seconds) + " min";
  }
  const std::string days =
      size < kShortestWithDays ? "" : std::to_string(seconds / kDay) + " d ";
  return sign + days +
         HoursText(days.empty() ? seconds : seconds % kDay, true) + " h";
}

}  // namespace orrery::plot::internal
