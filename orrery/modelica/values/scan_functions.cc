#include "orrery/modelica/values/scan_functions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace orrery::modelica::internal {
namespace {

constexpr std::string_view kScanPackage =
    "Modelica.Utilities.Strings.Advanced.";

/// Reads a text from a place on.
class Scanner {
 public:
  Scanner(const std::string& text, double start) : text_(text) {
    const double most = static_cast<double>(text.size()) + 1;
    at_ = static_cast<std::size_t>(std::clamp(start, 1.0, most)) - 1;
  }

  /// The character `ahead` of the place; 0 beyond the end.
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void SkipSpace() {
    constexpr std::string_view kSpace = " \t\n\v\f\r";
    while (at_ < text_.size() && kSpace.find(Peek()) != kSpace.npos) {
      ++at_;
    }
  }

  /// The number of digits from `ahead` on.
  [[nodiscard]] std::size_t Digits(std::size_t ahead) const {
    std::size_t count = 0;
    while (Peek(ahead + count) >= '0' && Peek(ahead + count) <= '9') {
      ++count;
    }
    return count;
  }

  [[nodiscard]] std::string Take(std::size_t count) {
    at_ += count;
    return text_.substr(at_ - count, count);
  }

  [[nodiscard]] double place() const { return static_cast<double>(at_) + 1; }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

bool IsSign(char c) {
  return c == '+' || c == '-';
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Scanned SkipWhiteSpace(const std::string& text, double start, bool) {
  Scanner scanner(text, start);
  scanner.SkipSpace();
  return {.next = scanner.place()};
}

Scanned ScanIdentifier(const std::string& text, double start, bool) {
  Scanner scanner(text, start);
  scanner.SkipSpace();
  std::size_t length = 0;
  while (IsLetter(scanner.Peek(length)) ||
         (length > 0 &&
          (scanner.Digits(length) > 0 || scanner.Peek(length) == '_'))) {
    ++length;
  }
  const std::string found = scanner.Take(length);
  return {.next = length > 0 ? scanner.place() : start, .token = found};
}

// A quote within the text has a backslash before it, which stays.
Scanned ScanString(const std::string& text, double start, bool) {
  Scanner scanner(text, start);
  scanner.SkipSpace();
  std::size_t end = 1;
  while (scanner.Peek(end) != '\0' &&
         (scanner.Peek(end) != '"' || scanner.Peek(end - 1) == '\\')) {
    ++end;
  }
  if (scanner.Peek() != '"' || scanner.Peek(end) == '\0' || end == 1) {
    return {.next = start, .token = std::string()};
  }
  const std::string found = scanner.Take(end + 1).substr(1, end - 1);
  return {.next = scanner.place(), .token = found};
}

template <typename Number>
Scanned NumberToken(std::string found, double start, double next) {
  Number number = 0;
  found.erase(0, found.starts_with('+') ? 1 : 0);
  const char* const end = found.data() + found.size();
  const auto [read, failure] = std::from_chars(found.data(), end, number);
  if (read != end || failure != std::errc()) {
    return {.next = start};
  }
  const double value = number;
  return {.next = next, .token = value};
}

Scanned ScanInteger(const std::string& text, double start, bool is_unsigned) {
  Scanner scanner(text, start);
  scanner.SkipSpace();
  const std::size_t sign = IsSign(scanner.Peek()) ? 1 : 0;
  const std::size_t digits = scanner.Digits(sign);
  const char after = scanner.Peek(sign + digits);
  if ((is_unsigned && sign > 0) || digits == 0 || after == '.' ||
      after == 'e' || after == 'E') {
    return {.next = start};
  }
  const std::string found = scanner.Take(sign + digits);
  return NumberToken<std::int32_t>(found, start, scanner.place());
}

Scanned ScanReal(const std::string& text, double start, bool is_unsigned) {
  Scanner scanner(text, start);
  scanner.SkipSpace();
  std::size_t length = IsSign(scanner.Peek()) ? 1 : 0;
  if (is_unsigned && length > 0) {
    return {.next = start};
  }
  length += scanner.Digits(length);
  if (scanner.Peek(length) == '.') {
    length += 1 + scanner.Digits(length + 1);
  }
  if (scanner.Peek(length) == 'e' || scanner.Peek(length) == 'E') {
    const std::size_t mark = IsSign(scanner.Peek(length + 1)) ? 2 : 1;
    const std::size_t digits = scanner.Digits(length + mark);
    if (digits == 0) {
      return {.next = start};
    }
    length += mark + digits;
  }
  const std::string found = scanner.Take(length);
  return NumberToken<double>(found, start, scanner.place());
}

constexpr std::array kScanFunctions = {
    ScanFunction{"skipWhiteSpace", false, ValueType::kInteger, SkipWhiteSpace},
    ScanFunction{"scanIdentifier", false, ValueType::kInteger, ScanIdentifier},
    ScanFunction{"scanString", false, ValueType::kInteger, ScanString},
    ScanFunction{"scanInteger", true, ValueType::kInteger, ScanInteger},
    ScanFunction{"scanReal", true, ValueType::kReal, ScanReal}};

}  // namespace

const ScanFunction* FindScanFunction(std::string_view name) {
  if (!name.starts_with(kScanPackage)) {
    return nullptr;
  }
  const auto found = std::ranges::find(
      kScanFunctions, name.substr(kScanPackage.size()), &ScanFunction::name);
  return found == kScanFunctions.end() ? nullptr : &*found;
}

}  // namespace orrery::modelica::internal
