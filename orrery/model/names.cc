#include "orrery/model/internal/names.h"

#include <algorithm>

namespace orrery::internal {
namespace {

bool IsDigit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool IsLetter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// "3,14]" after the opening bracket.
bool IsSubscriptList(std::string_view text) noexcept {
  bool after_digit = false;
  for (const char c : text.substr(0, text.size() - 1)) {
    if (c == ',' ? !after_digit : !IsDigit(c)) {
      return false;
    }
    after_digit = c != ',';
  }
  return after_digit && text.back() == ']';
}

}  // namespace

bool IsComponentName(std::string_view name) noexcept {
  const std::size_t bracket = std::min(name.find('['), name.size());
  const std::string_view word = name.substr(0, bracket);
  const std::string_view rest = name.substr(bracket);
  return !word.empty() && IsLetter(word.front()) &&
         std::ranges::all_of(
             word, [](char c) { return IsLetter(c) || IsDigit(c); }) &&
         (rest.empty() || (rest.size() > 2 && IsSubscriptList(rest.substr(1))));
}

std::string ShapeText(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  }
  return "[" + text + "]";
}

}  // namespace orrery::internal
