#include "orrery/base/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace orrery {
namespace {

// The form of sequences, by kind of first byte.
struct Form {
  std::size_t length;    // 0: invalid as a first byte.
  unsigned char lowest;  // Bounds of the second byte.
  unsigned char highest;
};

Form FormOf(unsigned char first) {
  if (first < 0x80) {
    return {.length = 1, .lowest = 0, .highest = 0};
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return {.length = 2, .lowest = 0x80, .highest = 0xBF};
  }
  if (first >= 0xE0 && first <= 0xEF) {
    // No overlong forms, no surrogates.
    return {.length = 3,
            .lowest = static_cast<unsigned char>(first == 0xE0 ? 0xA0 : 0x80),
            .highest = static_cast<unsigned char>(first == 0xED ? 0x9F : 0xBF)};
  }
  if (first >= 0xF0 && first <= 0xF4) {
    return {.length = 4,
            .lowest = static_cast<unsigned char>(first == 0xF0 ? 0x90 : 0x80),
            .highest = static_cast<unsigned char>(first == 0xF4 ? 0x8F : 0xBF)};
  }
  return {.length = 0, .lowest = 0, .highest = 0};
}

// Returns the length of the first character of a text; 0 if it is invalid.
std::size_t LengthOfFirst(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const Form form = FormOf(byte(0));
  if (form.length > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < form.length; ++i) {
    if (byte(i) < (i == 1 ? form.lowest : 0x80) ||
        byte(i) > (i == 1 ? form.highest : 0xBF)) {
      return 0;
    }
  }
  return form.length;
}

// Returns a lower bound of the number of leading ASCII bytes, in whole words.
std::size_t AsciiWords(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= text.size();
       at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) {
      break;
    }
  }
  return at;
}

// Returns the number of leading bytes that are UTF-8.
std::size_t Utf8Prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    at += AsciiWords(text.substr(at));
    if (at == text.size()) {
      break;
    }
    const std::size_t length = LengthOfFirst(text.substr(at));
    if (length == 0) {
      break;
    }
    at += length;
  }
  return at;
}

}  // namespace

bool IsUtf8(std::string_view text) noexcept {
  return Utf8Prefix(text) == text.size();
}

std::string ToUtf8(std::string_view text) {
  std::string result(text);
  for (std::size_t at = Utf8Prefix(text); at < text.size();
       at += Utf8Prefix(text.substr(at))) {
    result[at++] = '?';
  }
  return result;
}

}  // namespace orrery
