#include "orrery/base/text/value_format.h"

#include <cctype>
#include <cstddef>
#include <cstdio>

namespace orrery {
namespace {

constexpr std::string_view kOfReals = "eEfFgG";
constexpr std::string_view kOfIntegers = "diouxX";

template <typename Number>
std::string Printed(const std::string& pattern, Number number) {
  const int length = std::snprintf(nullptr, 0, pattern.c_str(), number);
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), pattern.c_str(), number);
  text.pop_back();
  return text;
}

// Skips a number; false if it has more than three digits.
bool SkipNumber(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() &&
         std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
    ++at;
  }
  return at - begin <= 3;
}

}  // namespace

std::string FilledUp(std::string text, const ValueFormat& format) {
  const auto least = static_cast<std::size_t>(format.least_length);
  if (text.size() < least) {
    text.insert(format.is_left ? text.size() : 0, least - text.size(), ' ');
  }
  return text;
}

std::string RealText(double value, const ValueFormat& format) {
  if (!format.pattern.empty()) {
    return Printed(format.pattern, value);
  }
  return FilledUp(Printed("%." + std::to_string(format.digits) + "g", value),
                  format);
}

std::string IntegerText(std::int64_t value, const ValueFormat& format) {
  if (format.pattern.empty()) {
    return FilledUp(std::to_string(value), format);
  }
  return kOfIntegers.find(format.pattern.back()) == std::string_view::npos
             ? Printed(format.pattern, static_cast<double>(value))
             : Printed(format.pattern, std::intmax_t{value});
}

std::optional<std::string> PatternOf(std::string_view format, bool is_integer) {
  std::size_t at = format.find_first_not_of("-+ #0");
  at = at == std::string_view::npos ? format.size() : at;
  bool is_right = SkipNumber(format, at);
  if (at < format.size() && format[at] == '.') {
    ++at;
    is_right = SkipNumber(format, at) && is_right;
  }
  if (!is_right || at + 1 != format.size()) {
    return std::nullopt;
  }
  std::string pattern = "%" + std::string(format);
  if (kOfReals.find(pattern.back()) != std::string_view::npos) {
    return pattern;
  }
  if (!is_integer ||
      kOfIntegers.find(pattern.back()) == std::string_view::npos) {
    return std::nullopt;
  }
  pattern.insert(pattern.size() - 1, "j");
  return pattern;
}

}  // namespace orrery
