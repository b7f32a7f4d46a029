#include "orrery/syntax/token.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace orrery::modelica {
namespace {

// By TokenKind.
constexpr auto kSpellings = std::to_array<std::string_view>({"algorithm",
                                                             "and",
                                                             "annotation",
                                                             "block",
                                                             "break",
                                                             "class",
                                                             "connect",
                                                             "connector",
                                                             "constant",
                                                             "constrainedby",
                                                             "der",
                                                             "discrete",
                                                             "each",
                                                             "else",
                                                             "elseif",
                                                             "elsewhen",
                                                             "encapsulated",
                                                             "end",
                                                             "enumeration",
                                                             "equation",
                                                             "expandable",
                                                             "extends",
                                                             "external",
                                                             "false",
                                                             "final",
                                                             "flow",
                                                             "for",
                                                             "function",
                                                             "if",
                                                             "import",
                                                             "impure",
                                                             "in",
                                                             "initial",
                                                             "inner",
                                                             "input",
                                                             "loop",
                                                             "model",
                                                             "not",
                                                             "operator",
                                                             "or",
                                                             "outer",
                                                             "output",
                                                             "package",
                                                             "parameter",
                                                             "partial",
                                                             "protected",
                                                             "public",
                                                             "pure",
                                                             "record",
                                                             "redeclare",
                                                             "replaceable",
                                                             "return",
                                                             "stream",
                                                             "then",
                                                             "true",
                                                             "type",
                                                             "when",
                                                             "while",
                                                             "within",
                                                             "(",
                                                             ")",
                                                             "[",
                                                             "]",
                                                             "{",
                                                             "}",
                                                             ",",
                                                             ";",
                                                             ":",
                                                             ".",
                                                             ":=",
                                                             "=",
                                                             "<",
                                                             "<=",
                                                             ">",
                                                             ">=",
                                                             "==",
                                                             "<>",
                                                             "+",
                                                             "-",
                                                             "*",
                                                             "/",
                                                             "^",
                                                             ".+",
                                                             ".-",
                                                             ".*",
                                                             "./",
                                                             ".^"});

constexpr auto kKeywords = static_cast<std::size_t>(TokenKind::kLeftParen);
constexpr std::size_t kLongestKeyword = 13;

static_assert(kSpellings.size() ==
              static_cast<std::size_t>(TokenKind::kIdentifier));
static_assert(kSpellings[kKeywords] == "(");

}  // namespace

std::string_view Spelling(TokenKind kind) noexcept {
  const auto index = static_cast<std::size_t>(kind);
  return index < kSpellings.size() ? kSpellings[index] : std::string_view();
}

TokenKind KeywordOrIdentifier(std::string_view text) noexcept {
  if (text.size() < 2 || text.size() > kLongestKeyword || text[0] < 'a') {
    return TokenKind::kIdentifier;
  }
  const auto end = kSpellings.begin() + kKeywords;
  const auto found = std::lower_bound(kSpellings.begin(), end, text);
  return found != end && *found == text
             ? static_cast<TokenKind>(found - kSpellings.begin())
             : TokenKind::kIdentifier;
}

}  // namespace orrery::modelica
