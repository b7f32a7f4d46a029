#include "orrery/server/http/target.h"

#include <algorithm>
#include <utility>

namespace orrery::server {
namespace {

std::optional<int> DigitOf(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return std::nullopt;
}

enum class Plus : bool { kIsPlus, kIsBlank };

std::optional<std::string> Decode(std::string_view text, Plus plus) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) {
        return std::nullopt;
      }
      const auto high = DigitOf(text[i + 1]);
      const auto low = DigitOf(text[i + 2]);
      if (!high || !low) {
        return std::nullopt;
      }
      c = static_cast<char>(*high * 16 + *low);
      i += 2;
    } else if (c == '+' && plus == Plus::kIsBlank) {
      c = ' ';
    }
    if (c == '\0') {
      return std::nullopt;
    }
    decoded += c;
  }
  return decoded;
}

// Splits off the text before `separator`, or all of it.
std::string_view TakeUntil(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool ReadPath(std::string_view text, std::vector<std::string>& path) {
  while (!text.empty()) {
    const bool is_last = text.find('/') == std::string_view::npos;
    std::optional<std::string> part =
        Decode(TakeUntil(text, '/'), Plus::kIsPlus);
    if (!part || part->empty() || *part == "." || *part == ".." ||
        part->find('/') != std::string::npos || (text.empty() && !is_last)) {
      return false;
    }
    path.push_back(*std::move(part));
  }
  return true;
}

}  // namespace

std::optional<Target> ParseTarget(std::string_view text) {
  if (!text.starts_with('/')) {
    return std::nullopt;
  }
  text = text.substr(0, text.find('#'));
  text.remove_prefix(1);
  Target target;
  const std::string_view path = TakeUntil(text, '?');
  if (!ReadPath(path, target.path)) {
    return std::nullopt;
  }
  while (!text.empty()) {
    std::string_view value = TakeUntil(text, '&');
    const auto name = Decode(TakeUntil(value, '='), Plus::kIsBlank);
    const auto decoded = Decode(value, Plus::kIsBlank);
    if (!name || !decoded) {
      return std::nullopt;
    }
    target.query.emplace(*name, *decoded);
  }
  return target;
}

std::optional<long long> ParseId(std::string_view text) {
  constexpr std::size_t kMostDigits = 15;
  if (text.empty() || text.size() > kMostDigits ||
      !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    return std::nullopt;
  }
  long long number = 0;
  for (const char c : text) {
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace orrery::server
