#include "orrery/base/parse_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "orrery/base/dimension.h"
#include "orrery/base/duration.h"
#include "orrery/base/units.h"

namespace orrery {
namespace {

// Reads the unit behind a number, perhaps after spaces; seconds if there is
// none.
std::optional<Unit> UnitOfTime(std::string_view text) {
  if (text.empty()) {
    return Unit{.factor = 1, .dimension = Dimension::Of(BaseUnit::kSecond)};
  }
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::variant<Unit, UnitError> parsed = ParseUnit(text);
  Unit* const unit = std::get_if<Unit>(&parsed);
  return unit != nullptr && unit->dimension == Dimension::Of(BaseUnit::kSecond)
             ? std::optional(std::move(*unit))
             : std::nullopt;
}

// Reads a number without an exponent, in units of whole nanoseconds.
std::optional<Duration> InTicks(std::string_view number, const Unit& unit) {
  const double ticks = unit.factor * static_cast<double>(Duration::period::den);
  if (!(ticks < 0x1p62) || std::abs(ticks - std::rint(ticks)) > 1e-9 * ticks) {
    return std::nullopt;
  }
  const bool is_negative = number.starts_with('-');
  number.remove_prefix(is_negative || number.starts_with('+') ? 1 : 0);
  const std::size_t point = std::min(number.find('.'), number.size());
  std::int64_t whole = 0;
  const auto read =
      std::from_chars(number.data(), number.data() + point, whole);
  if (point > 0 && read.ec != std::errc()) {
    return std::nullopt;
  }
  double part = 0;
  std::from_chars(number.data() + point, number.data() + number.size(), part);
  std::int64_t count = 0;
  if (__builtin_mul_overflow(whole, std::llrint(ticks), &count) ||
      __builtin_add_overflow(count, std::llrint(part * ticks), &count)) {
    return std::nullopt;
  }
  return Duration(is_negative ? -count : count);
}

}  // namespace

std::optional<double> ParseSeconds(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* begin = text.data();
  if (text.starts_with('+') && !text.starts_with("+-")) {
    ++begin;
  }
  double value = 0;
  const auto read = std::from_chars(begin, end, value);
  if (read.ec != std::errc() || !std::isfinite(value)) {
    return std::nullopt;
  }
  if (read.ptr == end) {
    return value;
  }
  const auto unit =
      UnitOfTime({read.ptr, static_cast<std::size_t>(end - read.ptr)});
  if (!unit) {
    return std::nullopt;
  }
  const double seconds = unit->ToSi(value);
  return std::isfinite(seconds) ? std::optional<double>(seconds) : std::nullopt;
}

std::optional<Duration> ParseDuration(std::string_view text) {
  const auto seconds = ParseSeconds(text);
  const auto nearest = seconds ? NearestDuration(*seconds) : std::nullopt;
  if (!nearest) {
    return std::nullopt;
  }
  const std::size_t end =
      std::min(text.find_first_not_of("+-0123456789."), text.size());
  const auto unit = UnitOfTime(text.substr(end));
  if (!unit) {
    return nearest;  // There is an exponent between them.
  }
  const auto exactly = InTicks(text.substr(0, end), *unit);
  return exactly ? exactly : nearest;
}

}  // namespace orrery
