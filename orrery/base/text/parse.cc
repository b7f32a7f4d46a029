#include "orrery/base/text/parse.h"

#include <charconv>
#include <stdexcept>
#include <system_error>

#include "orrery/base/text/quoted_names.h"

namespace orrery {

std::string_view Trim(std::string_view text, std::string_view blanks) noexcept {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) {
    return text.substr(0, 0);
  }
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view LastPart(std::string_view name) noexcept {
  std::size_t begin = 0;
  for (std::size_t dot = FindUnquoted(name, '.', 0);
       dot != std::string_view::npos;
       dot = FindUnquoted(name, '.', begin)) {
    begin = dot + 1;
  }
  return name.substr(begin);
}

std::optional<double> ParseNumber(const std::string& text) {
  std::size_t used = 0;
  try {
    const double value = std::stod(text, &used);
    return used == text.size() ? std::optional(value) : std::nullopt;
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
}

std::optional<double> ParseDecimal(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && last == end ? std::optional(value)
                                             : std::nullopt;
}

std::optional<std::uint64_t> ParseWhole(std::string_view text,
                                        std::uint64_t max) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && last == end && value <= max
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace orrery
