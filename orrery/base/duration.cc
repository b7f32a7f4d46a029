#include "orrery/base/duration.h"

#include <cmath>
#include <cstdint>
#include <cstdio>

#include "orrery/base/error.h"

namespace orrery {
namespace {

constexpr std::int64_t kTicksPerSecond = Duration::period::den;

}  // namespace

Duration ToDuration(double seconds) {
  // Both bounds are powers of two, so exact.
  const double ticks = seconds * static_cast<double>(kTicksPerSecond);
  if (!(std::abs(ticks) < 0x1p63)) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", seconds);
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot take ") + text +
                    " s for a duration: a duration is a number between "
                    "-9.2e9 s and 9.2e9 s");
  }
  return Duration(std::llrint(ticks));
}

std::string SecondsText(Duration duration) {
  const std::int64_t ticks = duration.count();
  const std::int64_t rest = std::abs(ticks % kTicksPerSecond);
  std::string text = std::to_string(std::abs(ticks / kTicksPerSecond));
  if (ticks < 0) {
    text.insert(text.begin(), '-');
  }
  if (rest != 0) {
    std::string digits = std::to_string(kTicksPerSecond + rest).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text;
}

std::string ToText(Duration duration) {
  return SecondsText(duration) + " s";
}

}  // namespace orrery
