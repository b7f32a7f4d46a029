#include "orrery/base/duration.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "orrery/base/error.h"

namespace orrery {
namespace {

constexpr std::int64_t kTicksPerSecond = Duration::period::den;

}  // namespace

std::optional<Duration> NearestDuration(double seconds) {
  constexpr auto kTicks = static_cast<double>(kTicksPerSecond);
  // Both bounds are powers of two, and therefore exact.
  if (!(std::abs(seconds * kTicks) < 0x1p63)) {
    return std::nullopt;
  }
  // The product of the whole number would be rounded, by half a tick and more
  // for many seconds.
  const auto whole = static_cast<std::int64_t>(seconds);
  const double rest = seconds - static_cast<double>(whole);
  return Duration(whole * kTicksPerSecond + std::llrint(rest * kTicks));
}

Duration ToDuration(double seconds) {
  const std::optional<Duration> duration = NearestDuration(seconds);
  if (!duration) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", seconds);
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot take ") + text +
                    " s for a duration: a duration is a number between "
                    "-9.2e9 s and 9.2e9 s");
  }
  return *duration;
}

std::string SecondsText(Duration duration) {
  constexpr int kDigits = 9;  // Behind the point, at most.
  std::array<char, 32> text{};
  char* end = text.data();
  const std::int64_t ticks = duration.count();
  if (ticks < 0) {
    *end++ = '-';
  }
  end = std::to_chars(
            end, text.data() + text.size(), std::abs(ticks / kTicksPerSecond))
            .ptr;
  std::int64_t rest = std::abs(ticks % kTicksPerSecond);
  if (rest != 0) {
    *end = '.';
    for (int i = kDigits; i > 0; --i, rest /= 10) {
      end[i] = static_cast<char>('0' + rest % 10);
    }
    end += kDigits;
    while (*end == '0') {
      --end;
    }
    ++end;
  }
  return {text.data(), end};
}

std::string ToText(Duration duration) {
  return SecondsText(duration) + " s";
}

}  // namespace orrery
