#pragma once

#include <cstddef>
#include <string_view>

namespace orrery {

/// The place of the first character from `at` on that `is_wanted` and is in no
/// quoted identifier; npos if there is none.
/// @param at a place outside of quoted identifiers.
template <typename IsWanted>
[[nodiscard]] std::size_t FindUnquotedIf(std::string_view text,
                                         std::size_t at,
                                         IsWanted is_wanted) {
  bool is_quoted = false;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (!is_quoted && is_wanted(text[i])) {
      return i;
    }
    if (text[i] == '\'') {
      is_quoted = !is_quoted;
    } else if (is_quoted && text[i] == '\\') {
      ++i;
    }
  }
  return std::string_view::npos;
}

/// The same for one character.
[[nodiscard]] inline std::size_t FindUnquoted(std::string_view text,
                                              char wanted,
                                              std::size_t at) {
  return FindUnquotedIf(text, at, [wanted](char c) { return c == wanted; });
}

}  // namespace orrery
