#include "orrery/model/names.h"

#include <algorithm>

namespace orrery::model::internal {
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

std::optional<std::size_t> ElementAt(
    const Shape& shape, const std::vector<std::int64_t>& at) noexcept {
  if (at.size() != shape.size()) {
    return std::nullopt;
  }
  std::int64_t element = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 1 || at[i] > shape[i]) {
      return std::nullopt;
    }
    element = element * shape[i] + at[i] - 1;
  }
  return static_cast<std::size_t>(element);
}

std::vector<std::int64_t> SubscriptsOf(const Shape& shape,
                                       std::size_t element) {
  std::vector<std::int64_t> at(shape.size());
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t i = at.size(); i-- > 0;) {
    at[i] = rest % shape[i] + 1;
    rest /= shape[i];
  }
  return at;
}

}  // namespace orrery::model::internal
